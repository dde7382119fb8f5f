! SPDX-License-Identifier: Apache-2.0
! Objects that block the thread and not the worker below it. None may be copied once it is in use.
module kasuri_sync
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use kasuri_base
  use kasuri_c, only: kasuri_success, kasuri_error_invalid, kasuri_error_busy, kasuri_error_again, &
      kasuri_error_timeout, kasuri_mutex, kasuri_cond, kasuri_sem, kasuri_barrier, kasuri_latch, &
      c_mutex_init => kasuri_mutex_init, c_mutex_destroy => kasuri_mutex_destroy, &
      c_mutex_lock => kasuri_mutex_lock, c_mutex_try_lock => kasuri_mutex_try_lock, &
      c_mutex_try_lock_for => kasuri_mutex_try_lock_for, c_mutex_unlock => kasuri_mutex_unlock, &
      c_cond_init => kasuri_cond_init, c_cond_destroy => kasuri_cond_destroy, &
      c_cond_wait => kasuri_cond_wait, c_cond_wait_for => kasuri_cond_wait_for, &
      c_cond_signal => kasuri_cond_signal, c_cond_broadcast => kasuri_cond_broadcast, &
      c_sem_init => kasuri_sem_init, c_sem_destroy => kasuri_sem_destroy, &
      c_sem_acquire => kasuri_sem_acquire, c_sem_try_acquire => kasuri_sem_try_acquire, &
      c_sem_try_acquire_for => kasuri_sem_try_acquire_for, c_sem_release => kasuri_sem_release, &
      c_barrier_init => kasuri_barrier_init, c_barrier_destroy => kasuri_barrier_destroy, &
      c_barrier_wait => kasuri_barrier_wait, &
      c_latch_init => kasuri_latch_init, c_latch_destroy => kasuri_latch_destroy, &
      c_latch_count_down => kasuri_latch_count_down, c_latch_try_wait => kasuri_latch_try_wait, &
      c_latch_wait => kasuri_latch_wait
  implicit none
  private
  public :: kasuri_mutex, kasuri_cond, kasuri_sem, kasuri_barrier, kasuri_latch
  public :: kasuri_mutex_init, kasuri_mutex_destroy, kasuri_mutex_lock
  public :: kasuri_mutex_unlock, kasuri_mutex_try_lock, kasuri_mutex_try_lock_for
  public :: kasuri_cond_init, kasuri_cond_destroy, kasuri_cond_signal
  public :: kasuri_cond_broadcast, kasuri_cond_wait, kasuri_cond_wait_for
  public :: kasuri_sem_init, kasuri_sem_destroy, kasuri_sem_acquire
  public :: kasuri_sem_try_acquire, kasuri_sem_try_acquire_for, kasuri_sem_release
  public :: kasuri_barrier_init, kasuri_barrier_destroy, kasuri_barrier_wait
  public :: kasuri_latch_init, kasuri_latch_destroy, kasuri_latch_wait
  public :: kasuri_latch_count_down, kasuri_latch_try_wait

  ! The names of C, under which gfortran would take other procedures for those of C.
  interface kasuri_mutex_init; procedure do_mutex_init; end interface
  interface kasuri_mutex_destroy; procedure do_mutex_destroy; end interface
  interface kasuri_mutex_lock; procedure do_mutex_lock; end interface
  interface kasuri_mutex_unlock; procedure do_mutex_unlock; end interface
  interface kasuri_mutex_try_lock; procedure do_mutex_try_lock; end interface
  interface kasuri_mutex_try_lock_for; procedure do_mutex_try_lock_for; end interface
  interface kasuri_cond_init; procedure do_cond_init; end interface
  interface kasuri_cond_destroy; procedure do_cond_destroy; end interface
  interface kasuri_cond_signal; procedure do_cond_signal; end interface
  interface kasuri_cond_broadcast; procedure do_cond_broadcast; end interface
  interface kasuri_cond_wait; procedure do_cond_wait; end interface
  interface kasuri_cond_wait_for; procedure do_cond_wait_for; end interface
  interface kasuri_sem_init; procedure do_sem_init; end interface
  interface kasuri_sem_destroy; procedure do_sem_destroy; end interface
  interface kasuri_sem_acquire; procedure do_sem_acquire; end interface
  interface kasuri_sem_try_acquire; procedure do_sem_try_acquire; end interface
  interface kasuri_sem_try_acquire_for; procedure do_sem_try_acquire_for; end interface
  interface kasuri_sem_release; procedure do_sem_release; end interface
  interface kasuri_barrier_init; procedure do_barrier_init; end interface
  interface kasuri_barrier_destroy; procedure do_barrier_destroy; end interface
  interface kasuri_barrier_wait; procedure do_barrier_wait; end interface
  interface kasuri_latch_init; procedure do_latch_init; end interface
  interface kasuri_latch_destroy; procedure do_latch_destroy; end interface
  interface kasuri_latch_wait; procedure do_latch_wait; end interface
  interface kasuri_latch_count_down; procedure do_latch_count_down; end interface
  interface kasuri_latch_try_wait; procedure do_latch_try_wait; end interface

contains

  ! ---- mutex -------------------------------------------------------------------------------------

  subroutine do_mutex_init(mutex, stat)
    type(kasuri_mutex), intent(inout) :: mutex
    integer, optional, intent(out) :: stat
    call settle(c_mutex_init(mutex), "kasuri_mutex_init", stat)
  end subroutine

  subroutine do_mutex_destroy(mutex, stat)
    type(kasuri_mutex), intent(inout) :: mutex
    integer, optional, intent(out) :: stat
    call settle(c_mutex_destroy(mutex), "kasuri_mutex_destroy", stat)
  end subroutine

  subroutine do_mutex_lock(mutex, stat)
    type(kasuri_mutex), intent(inout) :: mutex
    integer, optional, intent(out) :: stat
    call settle(c_mutex_lock(mutex), "kasuri_mutex_lock", stat)
  end subroutine

  subroutine do_mutex_unlock(mutex, stat)
    type(kasuri_mutex), intent(inout) :: mutex
    integer, optional, intent(out) :: stat
    call settle(c_mutex_unlock(mutex), "kasuri_mutex_unlock", stat)
  end subroutine

  ! Takes the mutex if it is free; `taken` says whether.
  subroutine do_mutex_try_lock(mutex, taken, stat)
    type(kasuri_mutex), intent(inout) :: mutex
    logical, intent(out) :: taken
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = c_mutex_try_lock(mutex)
    taken = status == kasuri_success
    if (status == kasuri_error_busy) status = kasuri_success
    call settle(status, "kasuri_mutex_try_lock", stat)
  end subroutine

  ! The same within a time.
  subroutine do_mutex_try_lock_for(mutex, seconds, taken, stat)
    type(kasuri_mutex), intent(inout) :: mutex
    real(real64), intent(in) :: seconds
    logical, intent(out) :: taken
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_error_invalid
    if (is_time(seconds)) status = c_mutex_try_lock_for(mutex, nanoseconds(seconds))
    taken = status == kasuri_success
    if (status == kasuri_error_timeout) status = kasuri_success
    call settle(status, "kasuri_mutex_try_lock_for", stat)
  end subroutine

  ! ---- condition variable ------------------------------------------------------------------------

  subroutine do_cond_init(cond, stat)
    type(kasuri_cond), intent(inout) :: cond
    integer, optional, intent(out) :: stat
    call settle(c_cond_init(cond), "kasuri_cond_init", stat)
  end subroutine

  subroutine do_cond_destroy(cond, stat)
    type(kasuri_cond), intent(inout) :: cond
    integer, optional, intent(out) :: stat
    call settle(c_cond_destroy(cond), "kasuri_cond_destroy", stat)
  end subroutine

  subroutine do_cond_signal(cond, stat)
    type(kasuri_cond), intent(inout) :: cond
    integer, optional, intent(out) :: stat
    call settle(c_cond_signal(cond), "kasuri_cond_signal", stat)
  end subroutine

  subroutine do_cond_broadcast(cond, stat)
    type(kasuri_cond), intent(inout) :: cond
    integer, optional, intent(out) :: stat
    call settle(c_cond_broadcast(cond), "kasuri_cond_broadcast", stat)
  end subroutine

  ! The caller holds the mutex, and holds it again afterwards.
  subroutine do_cond_wait(cond, mutex, stat)
    type(kasuri_cond), intent(inout) :: cond
    type(kasuri_mutex), intent(inout) :: mutex
    integer, optional, intent(out) :: stat
    call settle(c_cond_wait(cond, mutex), "kasuri_cond_wait", stat)
  end subroutine

  ! `notified` is false when the time was over.
  subroutine do_cond_wait_for(cond, mutex, seconds, notified, stat)
    type(kasuri_cond), intent(inout) :: cond
    type(kasuri_mutex), intent(inout) :: mutex
    real(real64), intent(in) :: seconds
    logical, intent(out) :: notified
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_error_invalid
    if (is_time(seconds)) status = c_cond_wait_for(cond, mutex, nanoseconds(seconds))
    notified = status == kasuri_success
    if (status == kasuri_error_timeout) status = kasuri_success
    call settle(status, "kasuri_cond_wait_for", stat)
  end subroutine

  ! ---- semaphore ---------------------------------------------------------------------------------

  subroutine do_sem_init(sem, units, stat)
    type(kasuri_sem), intent(inout) :: sem
    integer, intent(in) :: units
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_error_invalid
    if (units >= 0) status = c_sem_init(sem, int(units, c_int32_t))
    call settle(status, "kasuri_sem_init", stat)
  end subroutine

  subroutine do_sem_destroy(sem, stat)
    type(kasuri_sem), intent(inout) :: sem
    integer, optional, intent(out) :: stat
    call settle(c_sem_destroy(sem), "kasuri_sem_destroy", stat)
  end subroutine

  subroutine do_sem_acquire(sem, stat)
    type(kasuri_sem), intent(inout) :: sem
    integer, optional, intent(out) :: stat
    call settle(c_sem_acquire(sem), "kasuri_sem_acquire", stat)
  end subroutine

  subroutine do_sem_try_acquire(sem, taken, stat)
    type(kasuri_sem), intent(inout) :: sem
    logical, intent(out) :: taken
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = c_sem_try_acquire(sem)
    taken = status == kasuri_success
    if (status == kasuri_error_again) status = kasuri_success
    call settle(status, "kasuri_sem_try_acquire", stat)
  end subroutine

  subroutine do_sem_try_acquire_for(sem, seconds, taken, stat)
    type(kasuri_sem), intent(inout) :: sem
    real(real64), intent(in) :: seconds
    logical, intent(out) :: taken
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_error_invalid
    if (is_time(seconds)) status = c_sem_try_acquire_for(sem, nanoseconds(seconds))
    taken = status == kasuri_success
    if (status == kasuri_error_timeout) status = kasuri_success
    call settle(status, "kasuri_sem_try_acquire_for", stat)
  end subroutine

  ! Without `units`, one.
  subroutine do_sem_release(sem, units, stat)
    type(kasuri_sem), intent(inout) :: sem
    integer, optional, intent(in) :: units
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    integer :: n
    n = 1
    if (present(units)) n = units
    status = kasuri_error_invalid
    if (n >= 0) status = c_sem_release(sem, int(n, c_int32_t))
    call settle(status, "kasuri_sem_release", stat)
  end subroutine

  ! ---- barrier -----------------------------------------------------------------------------------

  subroutine do_barrier_init(barrier, threads, stat)
    type(kasuri_barrier), intent(inout) :: barrier
    integer, intent(in) :: threads
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_error_invalid
    if (threads >= 0) status = c_barrier_init(barrier, int(threads, c_int32_t))
    call settle(status, "kasuri_barrier_init", stat)
  end subroutine

  subroutine do_barrier_destroy(barrier, stat)
    type(kasuri_barrier), intent(inout) :: barrier
    integer, optional, intent(out) :: stat
    call settle(c_barrier_destroy(barrier), "kasuri_barrier_destroy", stat)
  end subroutine

  ! `last` is true in the thread of each phase that arrived last.
  subroutine do_barrier_wait(barrier, last, stat)
    type(kasuri_barrier), intent(inout) :: barrier
    logical, optional, intent(out) :: last
    integer, optional, intent(out) :: stat
    integer(c_int) :: was_last, status
    status = c_barrier_wait(barrier, was_last)
    if (present(last)) last = status == kasuri_success .and. was_last == 1
    call settle(status, "kasuri_barrier_wait", stat)
  end subroutine

  ! ---- latch -------------------------------------------------------------------------------------

  subroutine do_latch_init(latch, count, stat)
    type(kasuri_latch), intent(inout) :: latch
    integer, intent(in) :: count
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_error_invalid
    if (count >= 0) status = c_latch_init(latch, int(count, c_int32_t))
    call settle(status, "kasuri_latch_init", stat)
  end subroutine

  subroutine do_latch_destroy(latch, stat)
    type(kasuri_latch), intent(inout) :: latch
    integer, optional, intent(out) :: stat
    call settle(c_latch_destroy(latch), "kasuri_latch_destroy", stat)
  end subroutine

  subroutine do_latch_wait(latch, stat)
    type(kasuri_latch), intent(inout) :: latch
    integer, optional, intent(out) :: stat
    call settle(c_latch_wait(latch), "kasuri_latch_wait", stat)
  end subroutine

  ! Without `n`, by one.
  subroutine do_latch_count_down(latch, n, stat)
    type(kasuri_latch), intent(inout) :: latch
    integer, optional, intent(in) :: n
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    integer :: by
    by = 1
    if (present(n)) by = n
    status = kasuri_error_invalid
    if (by >= 0) status = c_latch_count_down(latch, int(by, c_int32_t))
    call settle(status, "kasuri_latch_count_down", stat)
  end subroutine

  subroutine do_latch_try_wait(latch, is_zero, stat)
    type(kasuri_latch), intent(inout) :: latch
    logical, intent(out) :: is_zero
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = c_latch_try_wait(latch)
    is_zero = status == kasuri_success
    if (status == kasuri_error_again) status = kasuri_success
    call settle(status, "kasuri_latch_try_wait", stat)
  end subroutine
end module
