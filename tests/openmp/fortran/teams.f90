! SPDX-License-Identifier: Apache-2.0
! teams and distribute on the host. Not nested: teams may be in no region.
! test: nested=no
#include "support/check.inc"

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

subroutine test
  implicit none
  call leagues
end subroutine
