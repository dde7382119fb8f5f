! SPDX-License-Identifier: Apache-2.0
! cancel and cancellation point of do, parallel and taskgroup.
! test: env=OMP_CANCELLATION=true
#include "support/check.inc"

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
  call cancelled
end subroutine
