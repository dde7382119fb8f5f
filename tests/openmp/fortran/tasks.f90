! SPDX-License-Identifier: Apache-2.0
! Tasks with all clauses, dependences, taskgroup and reductions, taskloop, detach.
#include "support/check.inc"

recursive function fib(n) result(value)
  implicit none
  integer, intent(in) :: n
  integer :: value, a, b
  if (n < 2) then
    value = n
  else
    !$omp task shared(a)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b)
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    value = a + b
  end if
end function

subroutine simple_tasks
  use check
  implicit none
  integer, external :: fib
  integer :: result, count, i
  count = 0
  !$omp parallel
  !$omp single
  result = fib(12)
  do i = 1, 50
    !$omp task firstprivate(i) shared(count) untied priority(i) mergeable
    !$omp atomic
    count = count + i
    !$omp end task
  end do
  !$omp taskwait
  CHECK(count == 1275)
  !$omp task if(.false.) shared(count)
  count = 7
  !$omp end task
  CHECK(count == 7)
  !$omp task final(.true.)
  CHECK(omp_in_final())
  !$omp end task
  !$omp end single
  !$omp end parallel
  CHECK(result == 144)
end subroutine

subroutine captured_data
  use check
  implicit none
  type :: record
    integer :: number
    real(kind=8) :: values(30)
  end type
  type(record) :: item
  integer, allocatable :: grown(:)
  character(len=20) :: word
  integer :: i, fixed(40)
  !$omp parallel private(item, grown, word, fixed)
  do i = 1, 10
    item%number = i
    item%values = i * 0.5d0
    allocate (grown(i))
    grown = i
    write (word, "(a, i0)") "word ", i
    fixed = i
    !$omp task firstprivate(item, grown, word, fixed, i)
    CHECK(item%number == i .and. all(item%values == i * 0.5d0))
    CHECK(size(grown) == i .and. all(grown == i))
    CHECK(word(6:6) == char(48 + mod(i, 10)) .or. i == 10)
    CHECK(all(fixed == i))
    grown = -1
    !$omp end task
    deallocate (grown)
    fixed = 0
  end do
  !$omp end parallel
end subroutine

subroutine dependences
  use check
  implicit none
  integer :: value, other, i, cells(0:9)
  integer(omp_depend_kind) :: object
  value = 0
  other = 0
  cells = 0
  !$omp parallel
  !$omp single
  do i = 1, 30
    !$omp task depend(inout: value) firstprivate(i)
    CHECK(value == i - 1)
    value = value + 1
    !$omp end task
    !$omp task depend(in: value) depend(mutexinoutset: other)
    other = other + 1
    !$omp end task
  end do
  !$omp taskwait depend(in: value)
  CHECK(value == 30)
  !$omp taskwait
  CHECK(other == 30)
  !$omp depobj(object) depend(inout: value)
  !$omp task depend(depobj: object)
  value = 100
  !$omp end task
  !$omp depobj(object) update(in)
  !$omp task depend(depobj: object)
  CHECK(value == 100)
  !$omp end task
  !$omp taskwait
  !$omp depobj(object) destroy
  do i = 0, 9
    !$omp task depend(out: cells(i)) firstprivate(i)
    cells(i) = i
    !$omp end task
  end do
  ! gfortran 12 leaves the last value of an iterator out: hence cells(9) by name.
  !$omp task depend(iterator(integer :: k = 0:9), in: cells(k)) depend(in: cells(9))
  CHECK(sum(cells) == 45)
  !$omp end task
  !$omp end single
  !$omp end parallel
end subroutine

subroutine groups_and_reductions
  use check
  implicit none
  integer :: total, i, all
  total = 0
  all = 0
  !$omp parallel
  !$omp single
  !$omp taskgroup task_reduction(+: total)
  do i = 1, 20
    !$omp task in_reduction(+: total) firstprivate(i)
    total = total + i
    !$omp end task
  end do
  !$omp end taskgroup
  CHECK(total == 210)
  !$omp taskgroup
  do i = 1, 5
    !$omp task
    !$omp task
    !$omp atomic
    all = all + 1
    !$omp end task
    !$omp end task
  end do
  !$omp end taskgroup
  CHECK(all == 5)
  !$omp end single
  !$omp end parallel
end subroutine

subroutine taskloops
  use check
  implicit none
  integer :: seen(100), i, j, total, last, grid(5, 6)
  seen = 0
  total = 0
  grid = 0
  !$omp parallel
  !$omp single
  !$omp taskloop grainsize(7) lastprivate(last)
  do i = 1, 100
    seen(i) = seen(i) + 1
    last = i
  end do
  !$omp end taskloop
  CHECK(last == 100)
  !$omp taskloop num_tasks(6) reduction(+: total)
  do i = 100, 1, -3
    total = total + i
  end do
  !$omp end taskloop
  CHECK(total == 1717)
  !$omp taskloop collapse(2) num_tasks(4)
  do i = 1, 5
    do j = 1, 6
      grid(i, j) = i * j
    end do
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  CHECK(all(seen == 1))
  CHECK(sum(grid) == 315)
  total = 0
  !$omp parallel masked taskloop reduction(+: total)
  do i = 1, 10
    total = total + i
  end do
  !$omp end parallel masked taskloop
  CHECK(total == 55)
end subroutine

subroutine detached
  use check
  implicit none
  integer(omp_event_handle_kind) :: event
  integer :: value
  value = 0
  !$omp parallel
  !$omp single
  !$omp task detach(event) depend(out: value) shared(value)
  value = 1
  call omp_fulfill_event(event)
  !$omp end task
  !$omp task depend(in: value)
  CHECK(value == 1)
  !$omp end task
  !$omp end single
  !$omp end parallel
end subroutine

subroutine test
  implicit none
  call simple_tasks
  call captured_data
  call dependences
  call groups_and_reductions
  call taskloops
  call detached
end subroutine
