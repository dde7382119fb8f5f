! SPDX-License-Identifier: Apache-2.0
! Threads that count under a mutex and meet at a latch; memory on the nodes; an error as a status.
module counting
  use kasuri
  implicit none

  ! Account:
  type :: account
    type(kasuri_mutex) :: mutex
    type(kasuri_latch) :: done
    integer :: value = 0
  end type
  ! end

contains

  ! Count:
  subroutine count_up(context)
    class(*), intent(inout) :: context
    select type (context)
    type is (account)
      call kasuri_mutex_lock(context%mutex)
      call kasuri_yield()  ! another worker may go on with this thread, which still has the mutex
      context%value = context%value + 1
      call kasuri_mutex_unlock(context%mutex)
      call kasuri_latch_count_down(context%done)
    end select
  end subroutine
  ! end
end module

program tasks_program
  use counting
  implicit none
  real(8), pointer :: matrix(:, :)
  ! Threads:
  type(account), target :: shared
  type(kasuri_thread) :: thread
  integer, parameter :: threads = 100
  integer :: i
  call kasuri_latch_init(shared%done, threads)
  do i = 1, threads
    call kasuri_thread_create_with(thread, count_up, shared)
    call kasuri_thread_detach(thread)
  end do
  call kasuri_latch_wait(shared%done)
  ! end
  if (shared%value /= threads) error stop "a lost count"

  ! Nodes:
  call kasuri_numa_alloc(matrix, [1000, 1000], kasuri_distribution(kind=kasuri_blocked))
  call kasuri_for(size(matrix, 2), fill)
  ! end
  if (nint(sum(matrix)) /= 500500000) error stop "not filled"
  ! Free:
  call kasuri_numa_free(matrix)
  ! end
  call with_status()
  print "(a, i0)", "counted to ", shared%value

contains

  ! Fill:
  subroutine fill(column)
    integer, intent(in) :: column
    matrix(:, column) = column
  end subroutine
  ! end

  subroutine with_status()
    ! Status:
    type(kasuri_mutex) :: mutex
    integer :: status
    call kasuri_mutex_unlock(mutex, stat=status)
    if (status /= kasuri_success) print "(2a)", "unlock: ", kasuri_strerror(status)
    ! end
    if (status /= kasuri_error_permission) error stop "a mutex that nobody holds was unlocked"
  end subroutine
end program
