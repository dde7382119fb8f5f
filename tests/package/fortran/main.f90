! SPDX-License-Identifier: Apache-2.0
! The C API from Fortran: a thread that squares a number, joined; threads that count under a mutex,
! whose storage Fortran provides, and meet at a latch.
module kasuri
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: kasuri_success = 0, kasuri_parent_first = 0

  ! As kasuri_mutex_t and kasuri_latch_t: two words each.
  type, bind(c) :: kasuri_object
    integer(c_int64_t) :: opaque(2) = 0
  end type

  type, bind(c) :: account
    type(kasuri_object) :: mutex, done
    integer(c_int) :: value = 0
  end type

  interface
    function kasuri_mutex_init(mutex) bind(c) result(status)
      import :: kasuri_object, c_int
      type(kasuri_object), intent(inout) :: mutex
      integer(c_int) :: status
    end function

    function kasuri_mutex_lock(mutex) bind(c) result(status)
      import :: kasuri_object, c_int
      type(kasuri_object), intent(inout) :: mutex
      integer(c_int) :: status
    end function

    function kasuri_mutex_unlock(mutex) bind(c) result(status)
      import :: kasuri_object, c_int
      type(kasuri_object), intent(inout) :: mutex
      integer(c_int) :: status
    end function

    function kasuri_latch_init(latch, count) bind(c) result(status)
      import :: kasuri_object, c_int, c_int32_t
      type(kasuri_object), intent(inout) :: latch
      integer(c_int32_t), value :: count
      integer(c_int) :: status
    end function

    function kasuri_latch_count_down(latch, n) bind(c) result(status)
      import :: kasuri_object, c_int, c_int32_t
      type(kasuri_object), intent(inout) :: latch
      integer(c_int32_t), value :: n
      integer(c_int) :: status
    end function

    function kasuri_latch_wait(latch) bind(c) result(status)
      import :: kasuri_object, c_int
      type(kasuri_object), intent(inout) :: latch
      integer(c_int) :: status
    end function

    function kasuri_thread_detach(thread) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: thread
      integer(c_int) :: status
    end function

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

  function count_up(argument) bind(c) result(answer)
    type(c_ptr), value :: argument
    type(c_ptr) :: answer
    type(account), pointer :: a
    call c_f_pointer(argument, a)
    if (kasuri_mutex_lock(a%mutex) /= kasuri_success) error stop "lock"
    a%value = a%value + 1
    if (kasuri_mutex_unlock(a%mutex) /= kasuri_success) error stop "unlock"
    if (kasuri_latch_count_down(a%done, 1) /= kasuri_success) error stop "count down"
    answer = c_null_ptr
  end function
end module

program consumer
  use kasuri
  implicit none
  integer, parameter :: threads = 100
  integer(c_int), target :: number
  type(account), target :: shared
  type(c_ptr) :: thread, answer
  integer :: i

  number = 12
  if (kasuri_thread_create(thread, c_funloc(square), c_loc(number), kasuri_parent_first) &
      /= kasuri_success) error stop "create"
  if (kasuri_thread_join(thread, answer) /= kasuri_success) error stop "join"
  if (number /= 144 .or. .not. c_associated(answer, c_loc(number))) error stop "result"

  if (kasuri_mutex_init(shared%mutex) /= kasuri_success) error stop "mutex"
  if (kasuri_latch_init(shared%done, threads) /= kasuri_success) error stop "latch"
  do i = 1, threads
    if (kasuri_thread_create(thread, c_funloc(count_up), c_loc(shared), kasuri_parent_first) &
        /= kasuri_success) error stop "create"
    if (kasuri_thread_detach(thread) /= kasuri_success) error stop "detach"
  end do
  if (kasuri_latch_wait(shared%done) /= kasuri_success) error stop "wait"
  if (shared%value /= threads) error stop "count"
end program
