! SPDX-License-Identifier: Apache-2.0
! threadprivate module variables, common blocks and allocatables; copyin, copyprivate, persistence.
#include "support/check.inc"

module private_data
  implicit none
  integer :: counter = 5
  real(kind=8) :: table(50)
  integer, allocatable :: grown(:)
  !$omp threadprivate(counter, table, grown)
end module

subroutine separate_copies
  use check
  use private_data
  implicit none
  integer :: me
  integer :: in_block
  real :: block_table(20)
  common /block/ in_block, block_table
  !$omp threadprivate(/block/)
  !$omp parallel private(me) num_threads(4)
  me = omp_get_thread_num()
  counter = me
  in_block = me + 100
  table = me * 0.5d0
  block_table(20) = me
  !$omp barrier
  CHECK(counter == me .and. in_block == me + 100)
  CHECK(all(table == me * 0.5d0))
  CHECK(block_table(20) == me)
  !$omp end parallel
end subroutine

subroutine persistence
  use check
  use private_data
  implicit none
  integer :: round
  if (is_nested()) return
  !$omp parallel
  counter = omp_get_thread_num() * 10
  if (allocated(grown)) deallocate (grown)
  allocate (grown(omp_get_thread_num() + 1))
  grown = omp_get_thread_num()
  !$omp end parallel
  do round = 1, 5
    !$omp parallel
    CHECK(counter == omp_get_thread_num() * 10 + round - 1)
    counter = counter + 1
    CHECK(size(grown) == omp_get_thread_num() + 1)
    CHECK(all(grown == omp_get_thread_num()))
    !$omp end parallel
  end do
  CHECK(counter == 5)
  !$omp parallel
  deallocate (grown)
  !$omp end parallel
end subroutine

subroutine copies
  use check
  use private_data
  implicit none
  integer :: in_block
  real :: block_table(20)
  common /block/ in_block, block_table
  !$omp threadprivate(/block/)
  counter = 77
  in_block = 88
  block_table = 1.5
  !$omp parallel copyin(counter, /block/)
  CHECK(counter == 77 .and. in_block == 88)
  CHECK(all(block_table == 1.5))
  !$omp barrier
  counter = omp_get_thread_num()
  !$omp barrier
  !$omp single
  counter = 500
  !$omp end single copyprivate(counter)
  CHECK(counter == 500)
  !$omp end parallel
  counter = 5
end subroutine

subroutine test
  implicit none
  call separate_copies
  call persistence
  call copies
end subroutine
