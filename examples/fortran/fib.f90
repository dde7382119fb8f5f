! SPDX-License-Identifier: Apache-2.0
module fib_of
  use kasuri
  implicit none

contains

  recursive integer function fib(n) result(sum)
    integer, intent(in) :: n
    integer :: a, b
    if (n < 2) then
      sum = n
      return
    end if
    call kasuri_invoke(left, right)
    sum = a + b

  contains

    subroutine left()
      a = fib(n - 1)
    end subroutine

    subroutine right()
      b = fib(n - 2)
    end subroutine
  end function
end module

program fib_program
  use fib_of
  implicit none
  integer :: result
  result = fib(27)
  print "(a, i0, a, i0, a)", "fib(27) = ", result, " on ", kasuri_num_workers(), " workers"
  if (result /= 196418) error stop "wrong"
end program
