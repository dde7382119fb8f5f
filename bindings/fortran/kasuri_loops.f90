! SPDX-License-Identifier: Apache-2.0
! Parallel loops. `body` is called from several workers at once, for each index once, as the body of
! a `do concurrent`; with integers of 4 or of 8 bytes. An internal procedure sees the variables of
! its host; one that is given a context finds its data there.
module kasuri_loops
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use kasuri_base
  use kasuri_c, only: kasuri_success, c_parallel_for => kasuri_parallel_for
  implicit none
  private
  public :: kasuri_for, kasuri_for_with, kasuri_for_blocks, kasuri_for_blocks_with

  ! (n, body): from 1 to n. (first, last, body): all of these; none where last < first.
  ! `grain`: so many indices at most are run in one piece; without it that is chosen by demand.
  interface kasuri_for
    module procedure for_n_32, for_n_64, for_32, for_64
  end interface
  ! (n, body, context), (first, last, body, context)
  interface kasuri_for_with
    module procedure for_n_with_32, for_n_with_64, for_with_32, for_with_64
  end interface
  ! `body` is given whole pieces of the range, for a loop of its own: body(first, last).
  interface kasuri_for_blocks
    module procedure blocks_32, blocks_64
  end interface
  ! body(first, last, context)
  interface kasuri_for_blocks_with
    module procedure blocks_with_32, blocks_with_64
  end interface

  abstract interface
    subroutine body_32(i)
      import :: int32
      integer(int32), intent(in) :: i
    end subroutine
    subroutine body_with_32(i, context)
      import :: int32
      integer(int32), intent(in) :: i
      class(*), intent(inout) :: context
    end subroutine
    subroutine block_32(first, last)
      import :: int32
      integer(int32), intent(in) :: first, last
    end subroutine
    subroutine block_with_32(first, last, context)
      import :: int32
      integer(int32), intent(in) :: first, last
      class(*), intent(inout) :: context
    end subroutine
    subroutine body_64(i)
      import :: int64
      integer(int64), intent(in) :: i
    end subroutine
    subroutine body_with_64(i, context)
      import :: int64
      integer(int64), intent(in) :: i
      class(*), intent(inout) :: context
    end subroutine
    subroutine block_64(first, last)
      import :: int64
      integer(int64), intent(in) :: first, last
    end subroutine
    subroutine block_with_64(first, last, context)
      import :: int64
      integer(int64), intent(in) :: first, last
      class(*), intent(inout) :: context
    end subroutine
  end interface

  type :: loop_record
    procedure(body_32), pointer, nopass :: body_32 => null()
    procedure(body_with_32), pointer, nopass :: body_with_32 => null()
    procedure(block_32), pointer, nopass :: block_32 => null()
    procedure(block_with_32), pointer, nopass :: block_with_32 => null()
    procedure(body_64), pointer, nopass :: body_64 => null()
    procedure(body_with_64), pointer, nopass :: body_with_64 => null()
    procedure(block_64), pointer, nopass :: block_64 => null()
    procedure(block_with_64), pointer, nopass :: block_with_64 => null()
    class(*), pointer :: context => null()
  end type

contains

  ! C's ranges end behind the last index.
  subroutine run_loop(first, last, record, grain, stat)
    integer(int64), intent(in) :: first, last
    type(loop_record), target, intent(in) :: record
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    integer(c_int64_t) :: piece
    piece = 0
    if (present(grain)) piece = int(grain, c_int64_t)
    if (last < first) then
      call settle(kasuri_success, "kasuri_for", stat)
    else
      call settle(c_parallel_for(first, last + 1, piece, c_funloc(run_piece), c_loc(record)), &
          "kasuri_for", stat)
    end if
  end subroutine

  subroutine run_piece(begin, behind, arg) bind(c, name="kasuri_fortran_run_piece")
    integer(c_int64_t), value :: begin, behind
    type(c_ptr), value :: arg
    type(loop_record), pointer :: r
    integer(int64) :: i
    integer(int32) :: j
    call c_f_pointer(arg, r)
    if (associated(r%body_32)) then
      do j = int(begin, int32), int(behind - 1, int32)
        call r%body_32(j)
      end do
    else if (associated(r%body_with_32)) then
      do j = int(begin, int32), int(behind - 1, int32)
        call r%body_with_32(j, r%context)
      end do
    else if (associated(r%block_32)) then
      call r%block_32(int(begin, int32), int(behind - 1, int32))
    else if (associated(r%block_with_32)) then
      call r%block_with_32(int(begin, int32), int(behind - 1, int32), r%context)
    else if (associated(r%body_64)) then
      do i = int(begin, int64), int(behind - 1, int64)
        call r%body_64(i)
      end do
    else if (associated(r%body_with_64)) then
      do i = int(begin, int64), int(behind - 1, int64)
        call r%body_with_64(i, r%context)
      end do
    else if (associated(r%block_64)) then
      call r%block_64(int(begin, int64), int(behind - 1, int64))
    else if (associated(r%block_with_64)) then
      call r%block_with_64(int(begin, int64), int(behind - 1, int64), r%context)
    end if
  end subroutine

  subroutine for_n_32(n, body, grain, stat)
    integer(int32), intent(in) :: n
    procedure(body_32) :: body
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_32 => body
    call run_loop(1_int64, int(n, int64), record, grain, stat)
  end subroutine

  subroutine for_32(first, last, body, grain, stat)
    integer(int32), intent(in) :: first, last
    procedure(body_32) :: body
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_32 => body
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine

  subroutine for_n_with_32(n, body, context, grain, stat)
    integer(int32), intent(in) :: n
    procedure(body_with_32) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_with_32 => body
    record%context => context
    call run_loop(1_int64, int(n, int64), record, grain, stat)
  end subroutine

  subroutine for_with_32(first, last, body, context, grain, stat)
    integer(int32), intent(in) :: first, last
    procedure(body_with_32) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_with_32 => body
    record%context => context
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine

  subroutine blocks_32(first, last, body, grain, stat)
    integer(int32), intent(in) :: first, last
    procedure(block_32) :: body
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%block_32 => body
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine

  subroutine blocks_with_32(first, last, body, context, grain, stat)
    integer(int32), intent(in) :: first, last
    procedure(block_with_32) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%block_with_32 => body
    record%context => context
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine

  subroutine for_n_64(n, body, grain, stat)
    integer(int64), intent(in) :: n
    procedure(body_64) :: body
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_64 => body
    call run_loop(1_int64, int(n, int64), record, grain, stat)
  end subroutine

  subroutine for_64(first, last, body, grain, stat)
    integer(int64), intent(in) :: first, last
    procedure(body_64) :: body
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_64 => body
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine

  subroutine for_n_with_64(n, body, context, grain, stat)
    integer(int64), intent(in) :: n
    procedure(body_with_64) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_with_64 => body
    record%context => context
    call run_loop(1_int64, int(n, int64), record, grain, stat)
  end subroutine

  subroutine for_with_64(first, last, body, context, grain, stat)
    integer(int64), intent(in) :: first, last
    procedure(body_with_64) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%body_with_64 => body
    record%context => context
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine

  subroutine blocks_64(first, last, body, grain, stat)
    integer(int64), intent(in) :: first, last
    procedure(block_64) :: body
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%block_64 => body
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine

  subroutine blocks_with_64(first, last, body, context, grain, stat)
    integer(int64), intent(in) :: first, last
    procedure(block_with_64) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(in) :: grain
    integer, optional, intent(out) :: stat
    type(loop_record), target :: record
    record%block_with_64 => body
    record%context => context
    call run_loop(int(first, int64), int(last, int64), record, grain, stat)
  end subroutine
end module
