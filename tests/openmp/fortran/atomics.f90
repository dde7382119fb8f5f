! SPDX-License-Identifier: Apache-2.0
! atomic in all forms and critical, over the types of Fortran.
#include "support/check.inc"

subroutine counting
  use check
  implicit none
  integer :: i, low, high, bits, captured(80), next, swapped
  integer(kind=8) :: wide
  real :: single
  real(kind=8) :: double
  real(kind=10) :: extended
  complex(kind=8) :: turned
  logical :: any
  low = 1000
  high = -1000
  bits = 0
  wide = 0
  single = 0
  double = 0
  extended = 0
  turned = 0
  any = .false.
  next = 0
  captured = 0
  !$omp parallel num_threads(4) private(i, swapped)
  do i = 1, 20
    !$omp atomic
    wide = wide + 2_8**33
    !$omp atomic
    single = single + 1
    !$omp atomic update
    double = double - 0.5d0
    !$omp atomic
    extended = extended + 1
    !$omp critical (turning)
    turned = turned + (1, -1)
    !$omp end critical (turning)
    !$omp atomic
    low = min(low, i)
    !$omp atomic
    high = max(i, high)
    !$omp atomic
    bits = ior(bits, ishft(1, i))
    !$omp atomic
    any = any .or. i == 20
    !$omp atomic capture
    next = next + 1
    swapped = next
    !$omp end atomic
    captured(swapped) = captured(swapped) + 1
  end do
  !$omp end parallel
  CHECK(wide == 80 * 2_8**33)
  CHECK(single == 80 .and. double == -40 .and. extended == 80)
  CHECK(turned == (80, -80))
  CHECK(low == 1 .and. high == 20 .and. bits == 2097150 .and. any)
  CHECK(all(captured == 1))
end subroutine

subroutine reading_and_writing
  use check
  implicit none
  integer :: flag, value, seen, spare
  flag = 0
  value = 0
  !$omp parallel num_threads(2) private(seen)
  if (omp_get_thread_num() == 0) then
    value = 9
    !$omp flush
    !$omp atomic write release
    flag = 1
  end if
  if (omp_get_thread_num() == omp_get_num_threads() - 1) then
    seen = 0
    do while (seen == 0)
      !$omp atomic read acquire
      seen = flag
    end do
    !$omp flush
    CHECK(value == 9)
  end if
  !$omp end parallel
  spare = 3
  !$omp atomic capture
  seen = spare
  spare = 8
  !$omp end atomic
  CHECK(seen == 3 .and. spare == 8)
end subroutine

subroutine test
  implicit none
  call counting
  call reading_and_writing
end subroutine
