! SPDX-License-Identifier: Apache-2.0
! Loops over arrays: the variables of the host, a context, whole pieces.
module smoothing
  use kasuri
  implicit none

  type :: grid
    real(8), pointer :: old(:), new(:)
  end type

contains

  ! Context:
  subroutine smooth(old, new)
    real(8), target, intent(in) :: old(:)
    real(8), target, intent(inout) :: new(:)
    type(grid) :: all
    all%old => old
    all%new => new
    call kasuri_for_with(2, size(old) - 1, smooth_one, all)
  end subroutine

  subroutine smooth_one(i, context)
    integer, intent(in) :: i
    class(*), intent(inout) :: context
    select type (context)
    type is (grid)
      context%new(i) = (context%old(i - 1) + context%old(i) + context%old(i + 1)) / 3
    end select
  end subroutine
  ! end
end module

program loop_program
  use smoothing
  implicit none
  real(8), allocatable :: x(:), y(:)
  integer :: i

  ! Loop:
  allocate (x(1000000))
  call kasuri_for(size(x), square_root)
  ! end
  if (any(abs(x - [(sqrt(real(i, 8)), i=1, size(x))]) > 0)) error stop "a wrong root"

  ! Blocks:
  call kasuri_for_blocks(1, size(x), add_one)
  ! end
  if (any(abs(x - [(sqrt(real(i, 8)) + 1, i=1, size(x))]) > 0)) error stop "a wrong sum"

  allocate (y(size(x)), source=0.0_8)
  call smooth(x, y)
  if (abs(y(2) - (x(1) + x(2) + x(3)) / 3) > 1e-15_8) error stop "not smooth"
  print "(a, i0, a)", "smoothed ", size(y) - 2, " values"

contains

  ! Bodies:
  subroutine square_root(i)
    integer, intent(in) :: i
    x(i) = sqrt(real(i, 8))
  end subroutine

  subroutine add_one(first, last)
    integer, intent(in) :: first, last
    x(first:last) = x(first:last) + 1
  end subroutine
  ! end
end program
