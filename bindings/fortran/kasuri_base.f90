! SPDX-License-Identifier: Apache-2.0
! What the other modules stand on: errors, times, and procedures that C calls.
!
! A procedure without a context may be an internal one: it sees the variables of its host. With a
! context it is given a variable of any type, which it finds out by `select type`.
module kasuri_base
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use kasuri_c, only: kasuri_success, kasuri_error_invalid, c_strerror => kasuri_strerror
  implicit none
  private
  public :: kasuri_strerror, settle, nanoseconds, is_time
  public :: kasuri_task, kasuri_task_with, task_record, call_task, call_and_free, call_and_answer

  abstract interface
    subroutine kasuri_task()
    end subroutine
    subroutine kasuri_task_with(context)
      class(*), intent(inout) :: context
    end subroutine
  end interface

  type :: task_record
    procedure(kasuri_task), pointer, nopass :: plain => null()
    procedure(kasuri_task_with), pointer, nopass :: with => null()
    class(*), pointer :: context => null()
  end type

  interface
    pure function c_strlen(text) bind(c, name="strlen") result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

  ! The names of C, under which gfortran would take other procedures for those of C.
  interface kasuri_strerror; procedure do_strerror; end interface

contains

  ! The meaning of a status, as a sentence without a full stop.
  function do_strerror(status) result(text)
    integer, intent(in) :: status
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: at
    integer :: i
    at = c_strerror(int(status, c_int))
    call c_f_pointer(at, letters, [c_strlen(at)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  ! Gives the status to a caller that asked for it. One that did not ask must not go on after a
  ! failure.
  subroutine settle(status, what, stat)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: what
    integer, optional, intent(out) :: stat
    if (present(stat)) then
      stat = status
    else if (status /= kasuri_success) then
      error stop "kasuri: " // what // ": " // do_strerror(int(status))
    end if
  end subroutine

  pure logical function is_time(seconds)
    real(real64), intent(in) :: seconds
    is_time = seconds >= 0
  end function

  pure integer(c_int64_t) function nanoseconds(seconds)
    real(real64), intent(in) :: seconds
    real(real64), parameter :: longest = 9.0e9_real64
    nanoseconds = nint(min(seconds, longest) * 1.0e9_real64, c_int64_t)
  end function

  subroutine run_task(record)
    type(task_record), intent(in) :: record
    if (associated(record%with)) then
      call record%with(record%context)
    else
      call record%plain()
    end if
  end subroutine

  subroutine call_task(arg) bind(c, name="kasuri_fortran_call_task")
    type(c_ptr), value :: arg
    type(task_record), pointer :: record
    call c_f_pointer(arg, record)
    call run_task(record)
  end subroutine

  ! For tasks that outlive the call that makes them: the record was allocated for them.
  subroutine call_and_free(arg) bind(c, name="kasuri_fortran_call_and_free")
    type(c_ptr), value :: arg
    type(task_record), pointer :: record
    type(task_record) :: mine
    call c_f_pointer(arg, record)
    mine = record
    deallocate (record)
    call run_task(mine)
  end subroutine

  function call_and_answer(arg) bind(c, name="kasuri_fortran_call_and_answer") result(answer)
    type(c_ptr), value :: arg
    type(c_ptr) :: answer
    call call_and_free(arg)
    answer = c_null_ptr
  end function
end module
