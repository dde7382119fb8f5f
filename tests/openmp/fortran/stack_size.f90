! SPDX-License-Identifier: Apache-2.0
! Automatic arrays of 50 MB in every member but the first, of the 64 MiB that OMP_STACKSIZE promises.
! test: nested=2 threads=1,3,16 env=OMP_STACKSIZE=64M
#include "support/check.inc"

recursive integer function use_stack(n, value) result(got)
  implicit none
  integer, intent(in) :: n, value
  integer(kind=1), volatile :: room(50000000)
  integer :: i
  got = 0
  do i = 1, n, 524288
    room(i) = int(value, 1)
  end do
  do i = 1, n, 524288
    got = max(got, int(room(i)))
  end do
end function

subroutine each_member_has_it
  use check
  implicit none
  integer, external :: use_stack
  integer :: total, members
  total = 0
  members = 0
  !$omp parallel num_threads(3) reduction(+:total, members)
  members = members + 1
  if (omp_get_thread_num() /= 0) total = total + use_stack(50000000, 4)
  !$omp end parallel
  !$omp parallel num_threads(3) reduction(+:total)
  !$omp barrier
  if (omp_get_thread_num() /= 0) total = total + use_stack(50000000, 5)
  !$omp end parallel
  CHECK(total == 9 * (members - 1))
end subroutine

subroutine test
  use check
  implicit none
  integer :: round
  do round = 1, 5
    call each_member_has_it
  end do
end subroutine
