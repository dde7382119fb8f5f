! SPDX-License-Identifier: Apache-2.0
! The C API from Fortran: a thread that squares a number, joined.
module kasuri
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: kasuri_success = 0, kasuri_parent_first = 0

  interface
    function kasuri_thread_create(thread, fn, arg, policy) bind(c) result(status)
      import :: c_ptr, c_funptr, c_int
      type(c_ptr), intent(out) :: thread
      type(c_funptr), value :: fn
      type(c_ptr), value :: arg
      integer(c_int), value :: policy
      integer(c_int) :: status
    end function

    function kasuri_thread_join(thread, answer) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: thread
      type(c_ptr), intent(out) :: answer
      integer(c_int) :: status
    end function
  end interface

contains

  function square(argument) bind(c) result(answer)
    type(c_ptr), value :: argument
    type(c_ptr) :: answer
    integer(c_int), pointer :: number
    call c_f_pointer(argument, number)
    number = number * number
    answer = argument
  end function
end module

program consumer
  use kasuri
  implicit none
  integer(c_int), target :: number
  type(c_ptr) :: thread, answer

  number = 12
  if (kasuri_thread_create(thread, c_funloc(square), c_loc(number), kasuri_parent_first) &
      /= kasuri_success) error stop "create"
  if (kasuri_thread_join(thread, answer) /= kasuri_success) error stop "join"
  if (number /= 144 .or. .not. c_associated(answer, c_loc(number))) error stop "result"
end program
