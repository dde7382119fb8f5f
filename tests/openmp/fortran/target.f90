! SPDX-License-Identifier: Apache-2.0
! target on the host: map, data, update, nowait with depend, combined with teams.
! test: nested=no
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

subroutine test
  implicit none
  call target_regions
end subroutine
