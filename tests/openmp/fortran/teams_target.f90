! SPDX-License-Identifier: Apache-2.0
! target on the host, teams and distribute, cancellation. Not nested: teams may be in no region.
! test: nested=no env=OMP_CANCELLATION=true
#include "support/check.inc"

subroutine target_regions
  use check
  implicit none
  integer :: values(40), i, total, copy
  integer, allocatable :: grown(:)
  values = 0
  copy = 4
  total = 0
  allocate (grown(10))
  grown = 1
  !$omp target map(tofrom: values, grown)
  do i = 1, 40
    values(i) = i * copy
  end do
  grown = grown + 1
  copy = 0
  !$omp end target
  CHECK(values(40) == 160 .and. copy == 4 .and. all(grown == 2))
  !$omp target data map(tofrom: values)
  !$omp target
  values(1) = -1
  !$omp end target
  !$omp target update from(values)
  CHECK(values(1) == -1)
  !$omp end target data
  !$omp target teams distribute parallel do map(tofrom: total) reduction(+: total)
  do i = 1, 40
    total = total + i
  end do
  !$omp end target teams distribute parallel do
  CHECK(total == 820)
  !$omp target nowait depend(inout: total) map(tofrom: total)
  total = total + 1
  !$omp end target
  !$omp taskwait
  CHECK(total == 821)
end subroutine

subroutine leagues
  use check
  implicit none
  integer :: seen(60), i, total
  seen = 0
  total = 0
  !$omp teams num_teams(3)
  !$omp distribute
  do i = 1, 60
    seen(i) = seen(i) + 1
  end do
  !$omp end teams
  !$omp teams distribute parallel do simd num_teams(2) reduction(+: total)
  do i = 1, 60
    total = total + seen(i)
  end do
  !$omp end teams distribute parallel do simd
  CHECK(all(seen == 1) .and. total == 60)
end subroutine

subroutine cancelled
  use check
  implicit none
  integer :: i, after
  CHECK(omp_get_cancellation())
  after = 0
  !$omp parallel
  !$omp do schedule(dynamic)
  do i = 1, 1000
    if (i == 20) then
      !$omp cancel do
    end if
    !$omp cancellation point do
  end do
  !$omp end do
  !$omp atomic
  after = after + 1
  !$omp end parallel
  CHECK(after == team_size())
  !$omp parallel
  !$omp cancel parallel
  after = -1
  !$omp end parallel
  CHECK(after == team_size())
  !$omp parallel
  !$omp single
  !$omp taskgroup
  do i = 1, 50
    !$omp task
    !$omp cancel taskgroup
    after = -1
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK(after == team_size())
end subroutine

subroutine test
  implicit none
  call target_regions
  call leagues
  call cancelled
end subroutine
