! SPDX-License-Identifier: Apache-2.0
! Harness of the conformance programs in Fortran, like check.h: a program has a subroutine test(),
! which runs once or, with TEST_NESTED=1, in each member of an outer team of two.
module check
  use omp_lib
  implicit none
  integer, parameter :: instances = 2
  integer :: failures = 0
  interface expect  ! with -fdefault-integer-8 some routines still return the short kind
    module procedure expect_short, expect_long
  end interface
contains
  subroutine expect_long(holds, line, what)
    logical(kind=8), intent(in) :: holds
    integer, intent(in) :: line
    character(len=*), intent(in) :: what
    call expect_short(logical(holds, kind=4), line, what)
  end subroutine

  subroutine expect_short(holds, line, what)
    logical(kind=4), intent(in) :: holds
    integer, intent(in) :: line
    character(len=*), intent(in) :: what
    if (.not. holds) then
      !$omp critical (check_failures)
      failures = failures + 1
      if (failures <= 20) print "(a, i0, 2a)", "FAIL line ", line, ": ", what
      !$omp end critical (check_failures)
    end if
  end subroutine

  logical function is_nested()
    character(len=8) :: value
    call get_environment_variable("TEST_NESTED", value)
    is_nested = value(1:1) == "1"
  end function

  integer function base_level()
    base_level = merge(1, 0, is_nested())
  end function

  ! Which of the concurrent calls of test() this thread works for, from 1.
  integer function instance()
    instance = 1
    if (is_nested()) instance = 1 + omp_get_ancestor_thread_num(1)
  end function

  integer function team_size()
    team_size = omp_get_max_threads()
  end function
end module

program harness
  use check
  implicit none
  external :: test
  if (is_nested()) then
    call omp_set_max_active_levels(3)
    !$omp parallel num_threads(instances)
    call test()
    !$omp end parallel
  else
    call test()
  end if
  if (failures > 0) stop 1
end program
