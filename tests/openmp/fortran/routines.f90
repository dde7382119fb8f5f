! SPDX-License-Identifier: Apache-2.0
! The omp_* routines in their Fortran forms, with arguments of the default kinds.
#include "support/check.inc"

subroutine queries
  use check
  implicit none
  CHECK(omp_get_num_procs() >= 1)
  CHECK(omp_get_num_threads() == merge(instances, 1, is_nested()))
  CHECK(omp_get_level() == base_level())
  CHECK(omp_get_active_level() == base_level())
  CHECK(omp_get_ancestor_thread_num(0) == 0)
  CHECK(omp_get_team_size(0) == 1)
  CHECK(omp_get_ancestor_thread_num(50) == -1)
  CHECK(omp_get_team_size(50) == -1)
  CHECK(omp_in_parallel() .eqv. is_nested())
  CHECK(.not. omp_in_final())
  CHECK(.not. omp_get_cancellation())
  CHECK(omp_get_thread_limit() >= 16)
  CHECK(omp_get_supported_active_levels() >= 3)
  CHECK(omp_get_max_task_priority() >= 0)
  CHECK(omp_get_wtick() > 0)
  CHECK(omp_get_wtime() <= omp_get_wtime())
  CHECK(omp_get_num_devices() == 0)
  CHECK(omp_get_initial_device() == 0)
  CHECK(omp_is_initial_device())
  CHECK(omp_get_num_teams() == 1 .and. omp_get_team_num() == 0)
  CHECK(omp_get_proc_bind() == omp_proc_bind_false)
end subroutine

subroutine settings
  use check
  implicit none
  integer :: levels, size, chunk, members, device
  integer(kind=omp_sched_kind) :: kind
  levels = omp_get_max_active_levels()
  size = omp_get_max_threads()
  call omp_set_num_threads(3)
  CHECK(omp_get_max_threads() == 3)
  members = 0
  !$omp parallel reduction(+: members)
  members = members + 1
  CHECK(omp_get_team_size(omp_get_level()) == 3)
  CHECK(omp_get_ancestor_thread_num(omp_get_level()) == omp_get_thread_num())
  !$omp end parallel
  CHECK(members == 3)
  call omp_set_num_threads(size)
  call omp_set_max_active_levels(7)
  CHECK(omp_get_max_active_levels() == 7)
  call omp_set_max_active_levels(levels)
  CHECK(.not. omp_get_dynamic())
  call omp_set_dynamic(.true.)
  CHECK(omp_get_dynamic())
  call omp_set_dynamic(.false.)
  call omp_set_nested(.true.)
  CHECK(omp_get_nested())
  call omp_set_nested(.false.)
  call omp_set_max_active_levels(levels)
  call omp_set_schedule(omp_sched_guided, 11)
  call omp_get_schedule(kind, chunk)
  CHECK(kind == omp_sched_guided .and. chunk == 11)
  device = omp_get_default_device()
  call omp_set_default_device(2)
  CHECK(omp_get_default_device() == 2)
  call omp_set_default_device(device)
end subroutine

subroutine leagues
  use check
  implicit none
  integer :: before
  before = omp_get_max_teams()
  call omp_set_num_teams(5)
  CHECK(omp_get_max_teams() == 5)
  call omp_set_num_teams(before)
  call omp_set_teams_thread_limit(6)
  CHECK(omp_get_teams_thread_limit() == 6)
end subroutine

subroutine locks
  use check
  implicit none
  integer(kind=omp_lock_kind) :: lock
  integer(kind=omp_nest_lock_kind) :: nest
  integer :: i, count, nested
  count = 0
  nested = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  !$omp parallel private(i)
  do i = 1, 30
    call omp_set_lock(lock)
    count = count + 1
    call omp_unset_lock(lock)
    if (omp_test_lock(lock)) call omp_unset_lock(lock)
    call omp_set_nest_lock(nest)
    CHECK(omp_test_nest_lock(nest) == 2)
    nested = nested + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
  end do
  !$omp end parallel
  CHECK(count == 30 * team_size() .and. nested == 30 * team_size())
  CHECK(omp_test_lock(lock))
  CHECK(.not. omp_test_lock(lock))
  call omp_unset_lock(lock)
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)
end subroutine

subroutine places
  use check
  implicit none
  integer :: count, place, procs
  integer :: ids(4096)
  count = omp_get_num_places()
  CHECK(count >= 0)
  do place = 0, count - 1
    procs = omp_get_place_num_procs(place)
    CHECK(procs >= 1 .and. procs <= 4096)
    ids = -1
    call omp_get_place_proc_ids(place, ids)
    CHECK(all(ids(:procs) >= 0))
    CHECK(all(ids(procs + 1:) == -1))
  end do
  CHECK(omp_get_place_num() >= -1)
  CHECK(omp_get_partition_num_places() <= count)
  ids = -1
  call omp_get_partition_place_nums(ids)
  CHECK(all(ids(omp_get_partition_num_places() + 1:) == -1))
end subroutine

subroutine affinity
  use check
  implicit none
  character(len=30) :: text
  character(len=4) :: small
  integer :: length
  if (is_nested()) return
  call omp_set_affinity_format("%n of %N")
  length = omp_get_affinity_format(text)
  CHECK(length == 8 .and. text == '%n of %N')
  length = omp_capture_affinity(text, "level %L, %n of %N")
  CHECK(length == 15 .and. text == 'level 0, 0 of 1')
  length = omp_capture_affinity(small, "abcdefgh")
  CHECK(length == 8 .and. small == 'abcd')
end subroutine

subroutine test
  implicit none
  call queries
  call settings
  call leagues
  call locks
  call places
  call affinity
end subroutine
