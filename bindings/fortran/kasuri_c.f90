! SPDX-License-Identifier: Apache-2.0
! The functions of kasuri/kasuri.h as they are: names, arguments and results are C's, and the header
! says what they do. Programs use the module `kasuri`, which stands on this one.
module kasuri_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  ! The codes that functions return.
  integer(c_int), parameter :: &
      kasuri_success = 0, kasuri_error_invalid = 1, kasuri_error_memory = 2, &
      kasuri_error_busy = 3, kasuri_error_deadlock = 4, kasuri_error_permission = 5, &
      kasuri_error_again = 6, kasuri_error_range = 7, kasuri_error_state = 8, &
      kasuri_error_timeout = 9

  integer(c_int), parameter :: kasuri_parent_first = 0, kasuri_child_first = 1
  ! KASURI_WORKER has another name here: Fortran does not tell it from the function kasuri_worker.
  integer(c_int), parameter :: kasuri_anywhere = 0, kasuri_node = 1, kasuri_worker_place = 2
  integer(c_int), parameter :: &
      kasuri_priority_low = -1, kasuri_priority_normal = 0, kasuri_priority_high = 1
  integer(c_int), parameter :: &
      kasuri_first_touch = 0, kasuri_on_node = 1, kasuri_blocked = 2, kasuri_interleaved = 3, &
      kasuri_cyclic = 4, kasuri_block_cyclic = 5, kasuri_tiles = 6
  integer(c_int), parameter :: kasuri_huge_pages = 1

  ! With its initial value, each is a free mutex and a condition variable that nobody waits for.
  type, bind(c) :: kasuri_mutex
    integer(c_int64_t) :: opaque(2) = 0
  end type
  type, bind(c) :: kasuri_cond
    integer(c_int64_t) :: opaque(2) = 0
  end type
  ! These need their init functions.
  type, bind(c) :: kasuri_sem
    integer(c_int64_t) :: opaque(2) = 0
  end type
  type, bind(c) :: kasuri_barrier
    integer(c_int64_t) :: opaque(3) = 0
  end type
  type, bind(c) :: kasuri_latch
    integer(c_int64_t) :: opaque(2) = 0
  end type

  type, bind(c) :: kasuri_place
    integer(c_int) :: kind = kasuri_anywhere
    integer(c_int) :: index = 0
  end type

  type, bind(c) :: kasuri_thread_options
    integer(c_int) :: policy = kasuri_parent_first
    type(kasuri_place) :: place
    type(c_ptr) :: hint = c_null_ptr
    integer(c_size_t) :: hint_bytes = 0
  end type

  type, bind(c) :: kasuri_distribution
    integer(c_int) :: kind = kasuri_first_touch
    integer(c_int) :: node = 0
    integer(c_size_t) :: pages = 1
    integer(c_size_t) :: block_bytes = 1
    integer(c_size_t) :: rows = 1
    integer(c_size_t) :: row_bytes = 1
    integer(c_size_t) :: tile_rows = 1
    integer(c_size_t) :: tile_bytes = 1
  end type

  interface
    function kasuri_strerror(error) bind(c) result(answer)
      import :: c_int, c_ptr
      integer(c_int), value :: error
      type(c_ptr) :: answer
    end function
    function kasuri_init(workers) bind(c) result(status)
      import :: c_int
      integer(c_int), value :: workers
      integer(c_int) :: status
    end function
    function kasuri_finalize() bind(c) result(status)
      import :: c_int
      integer(c_int) :: status
    end function
    function kasuri_num_workers() bind(c) result(status)
      import :: c_int
      integer(c_int) :: status
    end function
    function kasuri_max_slots() bind(c) result(status)
      import :: c_int
      integer(c_int) :: status
    end function
    function kasuri_slot() bind(c) result(status)
      import :: c_int
      integer(c_int) :: status
    end function
    function kasuri_worker() bind(c) result(status)
      import :: c_int
      integer(c_int) :: status
    end function

    function kasuri_thread_create(thread, fn, arg, policy) bind(c) result(status)
      import :: c_ptr, c_funptr, c_int
      type(c_ptr), intent(out) :: thread
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      integer(c_int), value :: policy
      integer(c_int) :: status
    end function
    function kasuri_thread_create_with(thread, fn, arg, options) bind(c) result(status)
      import :: c_ptr, c_funptr, kasuri_thread_options, c_int
      type(c_ptr), intent(out) :: thread
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      type(kasuri_thread_options), intent(in) :: options
      integer(c_int) :: status
    end function
    function kasuri_near(data) bind(c) result(answer)
      import :: c_ptr, kasuri_place
      type(c_ptr), value :: data
      type(kasuri_place) :: answer
    end function
    function kasuri_thread_join(thread, answer) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: thread
      type(c_ptr), intent(out) :: answer
      integer(c_int) :: status
    end function
    function kasuri_thread_detach(thread) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: thread
      integer(c_int) :: status
    end function
    function kasuri_thread_self() bind(c) result(answer)
      import :: c_ptr
      type(c_ptr) :: answer
    end function
    subroutine kasuri_yield() bind(c)
    end subroutine
    function kasuri_sleep_ns(nanoseconds) bind(c) result(status)
      import :: c_int64_t, c_int
      integer(c_int64_t), value :: nanoseconds
      integer(c_int) :: status
    end function

    function kasuri_key_create(key, destructor) bind(c) result(status)
      import :: c_int32_t, c_funptr, c_int
      integer(c_int32_t), intent(out) :: key
      type(c_funptr), value :: destructor
      integer(c_int) :: status
    end function
    function kasuri_key_delete(key) bind(c) result(status)
      import :: c_int32_t, c_int
      integer(c_int32_t), value :: key
      integer(c_int) :: status
    end function
    function kasuri_key_set(key, value_of_thread) bind(c) result(status)
      import :: c_int32_t, c_ptr, c_int
      integer(c_int32_t), value :: key
      type(c_ptr), value :: value_of_thread
      integer(c_int) :: status
    end function
    function kasuri_key_get(key) bind(c) result(answer)
      import :: c_int32_t, c_ptr
      integer(c_int32_t), value :: key
      type(c_ptr) :: answer
    end function

    function kasuri_set_steal_function(f, arg) bind(c) result(status)
      import :: c_funptr, c_ptr, c_int
      type(c_funptr), value :: f
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function
    function kasuri_steal_thief(round) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: round
      integer(c_int) :: status
    end function
    function kasuri_steal_workers(round) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: round
      integer(c_int) :: status
    end function
    function kasuri_steal_random(round) bind(c) result(answer)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: round
      integer(c_int64_t) :: answer
    end function
    function kasuri_steal_peek(round, victim, hint, bytes) bind(c) result(answer)
      import :: c_ptr, c_int, c_size_t, c_intptr_t
      type(c_ptr), value :: round
      integer(c_int), value :: victim
      type(c_ptr), value :: hint
      integer(c_size_t), value :: bytes
      integer(c_intptr_t) :: answer
    end function
    function kasuri_steal_take(round, victim, confirm, arg) bind(c) result(status)
      import :: c_ptr, c_int, c_funptr
      type(c_ptr), value :: round
      integer(c_int), value :: victim
      type(c_funptr), value :: confirm
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function

    function kasuri_invoke(first, first_arg, second, second_arg) bind(c) result(status)
      import :: c_funptr, c_ptr, c_int
      type(c_funptr), value :: first
      type(c_ptr), value :: first_arg
      type(c_funptr), value :: second
      type(c_ptr), value :: second_arg
      integer(c_int) :: status
    end function
    function kasuri_keep_os_thread(fn, arg) bind(c) result(status)
      import :: c_funptr, c_ptr, c_int
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function
    function kasuri_parallel_for(first, behind, grain, fn, arg) bind(c) result(status)
      import :: c_int64_t, c_funptr, c_ptr, c_int
      integer(c_int64_t), value :: first
      integer(c_int64_t), value :: behind
      integer(c_int64_t), value :: grain
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function
    function kasuri_blocking(fn, arg, answer) bind(c) result(status)
      import :: c_funptr, c_ptr, c_int
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      type(c_ptr), intent(out) :: answer
      integer(c_int) :: status
    end function

    function kasuri_arena_create(arena, max_workers, priority) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), intent(out) :: arena
      integer(c_int), value :: max_workers
      integer(c_int), value :: priority
      integer(c_int) :: status
    end function
    function kasuri_arena_destroy(arena) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: arena
      integer(c_int) :: status
    end function
    function kasuri_arena_execute(arena, fn, arg) bind(c) result(status)
      import :: c_ptr, c_funptr, c_int
      type(c_ptr), value :: arena
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function
    function kasuri_arena_enqueue(arena, fn, arg) bind(c) result(status)
      import :: c_ptr, c_funptr, c_int
      type(c_ptr), value :: arena
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      integer(c_int) :: status
    end function
    function kasuri_arena_max_concurrency(arena) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: arena
      integer(c_int) :: status
    end function

    function kasuri_mutex_init(mutex) bind(c) result(status)
      import :: kasuri_mutex, c_int
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int) :: status
    end function
    function kasuri_mutex_destroy(mutex) bind(c) result(status)
      import :: kasuri_mutex, c_int
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int) :: status
    end function
    function kasuri_mutex_lock(mutex) bind(c) result(status)
      import :: kasuri_mutex, c_int
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int) :: status
    end function
    function kasuri_mutex_try_lock(mutex) bind(c) result(status)
      import :: kasuri_mutex, c_int
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int) :: status
    end function
    function kasuri_mutex_unlock(mutex) bind(c) result(status)
      import :: kasuri_mutex, c_int
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int) :: status
    end function
    function kasuri_mutex_try_lock_for(mutex, nanoseconds) bind(c) result(status)
      import :: kasuri_mutex, c_int64_t, c_int
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int64_t), value :: nanoseconds
      integer(c_int) :: status
    end function
    function kasuri_cond_init(cond) bind(c) result(status)
      import :: kasuri_cond, c_int
      type(kasuri_cond), intent(inout) :: cond
      integer(c_int) :: status
    end function
    function kasuri_cond_destroy(cond) bind(c) result(status)
      import :: kasuri_cond, c_int
      type(kasuri_cond), intent(inout) :: cond
      integer(c_int) :: status
    end function
    function kasuri_cond_signal(cond) bind(c) result(status)
      import :: kasuri_cond, c_int
      type(kasuri_cond), intent(inout) :: cond
      integer(c_int) :: status
    end function
    function kasuri_cond_broadcast(cond) bind(c) result(status)
      import :: kasuri_cond, c_int
      type(kasuri_cond), intent(inout) :: cond
      integer(c_int) :: status
    end function
    function kasuri_cond_wait(cond, mutex) bind(c) result(status)
      import :: kasuri_cond, kasuri_mutex, c_int
      type(kasuri_cond), intent(inout) :: cond
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int) :: status
    end function
    function kasuri_cond_wait_for(cond, mutex, nanoseconds) bind(c) result(status)
      import :: kasuri_cond, kasuri_mutex, c_int64_t, c_int
      type(kasuri_cond), intent(inout) :: cond
      type(kasuri_mutex), intent(inout) :: mutex
      integer(c_int64_t), value :: nanoseconds
      integer(c_int) :: status
    end function
    function kasuri_sem_init(sem, units) bind(c) result(status)
      import :: kasuri_sem, c_int32_t, c_int
      type(kasuri_sem), intent(inout) :: sem
      integer(c_int32_t), value :: units
      integer(c_int) :: status
    end function
    function kasuri_sem_destroy(sem) bind(c) result(status)
      import :: kasuri_sem, c_int
      type(kasuri_sem), intent(inout) :: sem
      integer(c_int) :: status
    end function
    function kasuri_sem_acquire(sem) bind(c) result(status)
      import :: kasuri_sem, c_int
      type(kasuri_sem), intent(inout) :: sem
      integer(c_int) :: status
    end function
    function kasuri_sem_try_acquire(sem) bind(c) result(status)
      import :: kasuri_sem, c_int
      type(kasuri_sem), intent(inout) :: sem
      integer(c_int) :: status
    end function
    function kasuri_sem_try_acquire_for(sem, nanoseconds) bind(c) result(status)
      import :: kasuri_sem, c_int64_t, c_int
      type(kasuri_sem), intent(inout) :: sem
      integer(c_int64_t), value :: nanoseconds
      integer(c_int) :: status
    end function
    function kasuri_sem_release(sem, units) bind(c) result(status)
      import :: kasuri_sem, c_int32_t, c_int
      type(kasuri_sem), intent(inout) :: sem
      integer(c_int32_t), value :: units
      integer(c_int) :: status
    end function
    function kasuri_barrier_init(barrier, threads) bind(c) result(status)
      import :: kasuri_barrier, c_int32_t, c_int
      type(kasuri_barrier), intent(inout) :: barrier
      integer(c_int32_t), value :: threads
      integer(c_int) :: status
    end function
    function kasuri_barrier_destroy(barrier) bind(c) result(status)
      import :: kasuri_barrier, c_int
      type(kasuri_barrier), intent(inout) :: barrier
      integer(c_int) :: status
    end function
    function kasuri_barrier_wait(barrier, last) bind(c) result(status)
      import :: kasuri_barrier, c_int
      type(kasuri_barrier), intent(inout) :: barrier
      integer(c_int), intent(out) :: last
      integer(c_int) :: status
    end function
    function kasuri_latch_init(latch, count) bind(c) result(status)
      import :: kasuri_latch, c_int32_t, c_int
      type(kasuri_latch), intent(inout) :: latch
      integer(c_int32_t), value :: count
      integer(c_int) :: status
    end function
    function kasuri_latch_destroy(latch) bind(c) result(status)
      import :: kasuri_latch, c_int
      type(kasuri_latch), intent(inout) :: latch
      integer(c_int) :: status
    end function
    function kasuri_latch_try_wait(latch) bind(c) result(status)
      import :: kasuri_latch, c_int
      type(kasuri_latch), intent(inout) :: latch
      integer(c_int) :: status
    end function
    function kasuri_latch_wait(latch) bind(c) result(status)
      import :: kasuri_latch, c_int
      type(kasuri_latch), intent(inout) :: latch
      integer(c_int) :: status
    end function
    function kasuri_latch_count_down(latch, n) bind(c) result(status)
      import :: kasuri_latch, c_int32_t, c_int
      type(kasuri_latch), intent(inout) :: latch
      integer(c_int32_t), value :: n
      integer(c_int) :: status
    end function

    function kasuri_numa_alloc(memory, bytes, distribution, flags) bind(c) result(status)
      import :: c_ptr, c_size_t, kasuri_distribution, c_int
      type(c_ptr), intent(out) :: memory
      integer(c_size_t), value :: bytes
      type(kasuri_distribution), intent(in) :: distribution
      integer(c_int), value :: flags
      integer(c_int) :: status
    end function
    function kasuri_numa_free(memory, bytes) bind(c) result(status)
      import :: c_ptr, c_size_t, c_int
      type(c_ptr), value :: memory
      integer(c_size_t), value :: bytes
      integer(c_int) :: status
    end function
    function kasuri_numa_move(start, bytes, distribution, left) bind(c) result(status)
      import :: c_ptr, c_size_t, kasuri_distribution, c_int
      type(c_ptr), value :: start
      integer(c_size_t), value :: bytes
      type(kasuri_distribution), intent(in) :: distribution
      integer(c_size_t), intent(out) :: left
      integer(c_int) :: status
    end function
    function kasuri_numa_node_of(address) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: address
      integer(c_int) :: status
    end function
    subroutine kasuri_numa_forget(start, bytes) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: start
      integer(c_size_t), value :: bytes
    end subroutine
    function kasuri_numa_this_node() bind(c) result(status)
      import :: c_int
      integer(c_int) :: status
    end function
    function kasuri_numa_nodes(numbers, cpus, most) bind(c) result(status)
      import :: c_int
      integer(c_int), intent(out) :: numbers(*)
      integer(c_int), intent(out) :: cpus(*)
      integer(c_int), value :: most
      integer(c_int) :: status
    end function
  end interface
end module
