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

! What an absent argument has is copied from nowhere. (GCC 12 reads absent integers itself.)
subroutine optional_arguments(wanted, number, many, array)
  use check
  implicit none
  logical, intent(in) :: wanted
  real(8), intent(in), optional :: number, many(40)
  integer, intent(inout), optional :: array(5)
  logical :: here(3)
  real(8) :: seen
  here = .not. wanted
  seen = 0
  !$omp target map(tofrom: here, seen, array) firstprivate(number, many)
  here(1) = present(number)
  here(2) = present(many)
  here(3) = present(array)
  if (present(number)) seen = number
  if (present(many)) seen = seen + many(40)
  if (present(array)) array(2) = 7
  !$omp end target
  CHECK(all(here .eqv. wanted))
  if (wanted) then
    CHECK(seen == 16 .and. array(2) == 7)
  end if
end subroutine

subroutine absent_arguments
  implicit none
  interface
    subroutine optional_arguments(wanted, number, many, array)
      logical, intent(in) :: wanted
      real(8), intent(in), optional :: number, many(40)
      integer, intent(inout), optional :: array(5)
    end subroutine
  end interface
  integer :: array(5)
  real(8) :: many(40)
  array = 0
  many = 5
  call optional_arguments(.false.)
  call optional_arguments(.true., 11d0, many, array)
end subroutine

subroutine test
  implicit none
  call target_regions
  call absent_arguments
end subroutine
