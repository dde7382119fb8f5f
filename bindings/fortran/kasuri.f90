! SPDX-License-Identifier: Apache-2.0
! Kasuri for Fortran: what a program uses. docs/how-to/fortran.md has examples; kasuri/kasuri.h says
! what each function promises.
!
! Every procedure that can fail has an optional argument `stat`, which receives kasuri_success or a
! code that kasuri_strerror puts into words. Without it a failure ends the program, by error stop
! with a line that names the procedure and the reason.
module kasuri
  use kasuri_base, only: kasuri_strerror
  use kasuri_c, only: &
      kasuri_success, kasuri_error_invalid, kasuri_error_memory, kasuri_error_busy, &
      kasuri_error_deadlock, kasuri_error_permission, kasuri_error_again, kasuri_error_range, &
      kasuri_error_state, kasuri_error_timeout, &
      kasuri_parent_first, kasuri_child_first, kasuri_place, kasuri_anywhere, kasuri_node, &
      kasuri_worker_place, kasuri_near, kasuri_priority_low, kasuri_priority_normal, &
      kasuri_priority_high, &
      kasuri_distribution, kasuri_first_touch, kasuri_on_node, kasuri_blocked, &
      kasuri_interleaved, kasuri_cyclic, kasuri_block_cyclic, kasuri_tiles, &
      kasuri_num_workers, kasuri_max_slots, kasuri_slot, kasuri_worker, kasuri_yield, &
      kasuri_numa_forget, kasuri_numa_this_node, &
      kasuri_set_steal_function, kasuri_steal_thief, kasuri_steal_workers, kasuri_steal_random, &
      kasuri_steal_peek, kasuri_steal_take
  use kasuri_loops
  use kasuri_numa
  use kasuri_sync
  use kasuri_tasks
  implicit none
  public
end module
