! SPDX-License-Identifier: Apache-2.0
! parallel, do with its schedules and clauses, sections, single, masked, workshare, reductions.
#include "support/check.inc"

subroutine members
  use check
  implicit none
  integer :: count, mine, copy, i, seen(0:63)
  seen = 0
  count = 0
  copy = 7
  mine = -1
  !$omp parallel default(none) shared(seen) private(mine) firstprivate(copy) reduction(+:count)
  mine = omp_get_thread_num()
  seen(mine) = seen(mine) + 1
  count = count + 1
  CHECK(copy == 7)
  copy = copy + mine
  !$omp barrier
  CHECK(copy == 7 + omp_get_thread_num())
  !$omp end parallel
  CHECK(count == team_size())
  CHECK(all(seen(0:count - 1) == 1))
  CHECK(all(seen(count:) == 0))
  CHECK(mine == -1)
  do i = 0, 1
    !$omp parallel if(i == 1) num_threads(2)
    CHECK(omp_get_num_threads() == 1 + i)
    !$omp end parallel
  end do
end subroutine

subroutine check_once(seen)
  use check
  implicit none
  integer, intent(inout) :: seen(:)
  CHECK(all(seen == 1))
  seen = 0
end subroutine

subroutine schedules
  use check
  implicit none
  interface
    subroutine check_once(seen)
      integer, intent(inout) :: seen(:)
    end subroutine
  end interface
  integer :: seen(200), i
  integer(kind=8) :: wide
  seen = 0
  !$omp parallel do
  do i = 1, 200
    seen(i) = seen(i) + 1
  end do
  call check_once(seen)
  !$omp parallel do schedule(static, 7)
  do i = 200, 1, -1
    seen(i) = seen(i) + 1
  end do
  call check_once(seen)
  !$omp parallel do schedule(dynamic, 3)
  do i = 1, 199, 2
    seen(i:i + 1) = seen(i:i + 1) + 1
  end do
  call check_once(seen)
  !$omp parallel do schedule(guided)
  do wide = 1_8, 200_8
    seen(wide) = seen(wide) + 1
  end do
  call check_once(seen)
  !$omp parallel do schedule(nonmonotonic: dynamic)
  do i = 1, 200
    seen(i) = seen(i) + 1
  end do
  call check_once(seen)
  call omp_set_schedule(omp_sched_dynamic, 4)
  !$omp parallel do schedule(runtime)
  do i = 1, 200
    seen(i) = seen(i) + 1
  end do
  call check_once(seen)
  !$omp parallel do schedule(auto)
  do i = 1, 200
    seen(i) = seen(i) + 1
  end do
  call check_once(seen)
end subroutine

subroutine clauses
  use check
  implicit none
  integer :: i, j, last, grid(6, 8), order(50), next, step
  last = -1
  grid = 0
  !$omp parallel do lastprivate(last) schedule(dynamic, 2)
  do i = 1, 30
    last = i
  end do
  CHECK(last == 30)
  !$omp parallel do collapse(2) schedule(dynamic, 5)
  do i = 1, 6
    do j = 8, 1, -1
      grid(i, j) = grid(i, j) + i * j
    end do
  end do
  CHECK(all(grid == reshape([((i * j, i = 1, 6), j = 1, 8)], [6, 8])))
  next = 1
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, 50
    !$omp ordered
    order(next) = i
    next = next + 1
    !$omp end ordered
  end do
  CHECK(all(order == [(i, i = 1, 50)]))
  step = 10
  !$omp parallel do linear(step: 2)
  do i = 1, 50
    order(i) = step
    step = step + 2
  end do
  CHECK(step == 110)
  CHECK(order(50) == 108)
  order(1) = 1
  !$omp parallel do ordered(1) schedule(static, 1)
  do i = 2, 50
    !$omp ordered depend(sink: i - 1)
    order(i) = order(i - 1) + i
    !$omp ordered depend(source)
  end do
  CHECK(order(50) == 1275)
  !$omp parallel
  !$omp do
  do i = 1, 50
    order(i) = i
  end do
  !$omp end do nowait
  !$omp do schedule(dynamic)
  do i = 1, 50
    grid(1, 1) = grid(1, 1)
  end do
  !$omp end do
  !$omp end parallel
  CHECK(order(50) == 50)
end subroutine

subroutine reductions
  use check
  implicit none
  integer :: i, total, least, most, all_bits, any_bits, odd_bits, bins(5)
  real(kind=8) :: product
  complex :: turn
  logical :: every, some, same, other
  integer, allocatable :: grown(:)
  total = 1
  least = 1000
  most = -1000
  all_bits = -1
  any_bits = 0
  odd_bits = 0
  bins = 0
  product = 1
  turn = (0.0, 0.0)
  every = .true.
  some = .false.
  same = .true.
  other = .false.
  allocate (grown(4))
  grown = 2
  !$omp parallel do reduction(+: total, bins, turn, grown) reduction(*: product) &
  !$omp& reduction(min: least) reduction(max: most) reduction(iand: all_bits) &
  !$omp& reduction(ior: any_bits) reduction(ieor: odd_bits) reduction(.and.: every) &
  !$omp& reduction(.or.: some) reduction(.eqv.: same) reduction(.neqv.: other) schedule(dynamic)
  do i = 1, 20
    total = total + i
    bins(mod(i, 5) + 1) = bins(mod(i, 5) + 1) + 1
    turn = turn + (1.0, -1.0)
    grown(mod(i, 4) + 1) = grown(mod(i, 4) + 1) + 1
    product = product * 2
    least = min(least, 50 - i)
    most = max(most, i * 3)
    all_bits = iand(all_bits, not(ishft(1, i)))
    any_bits = ior(any_bits, ishft(1, i))
    odd_bits = ieor(odd_bits, 5)
    every = every .and. i /= 7
    some = some .or. i == 7
    same = same .eqv. i > 3
    other = other .neqv. i > 3
  end do
  CHECK(total == 211)
  CHECK(all(bins == 4))
  CHECK(turn == (20.0, -20.0))
  CHECK(all(grown == 7))
  CHECK(product == 1048576)
  CHECK(least == 30 .and. most == 60)
  CHECK(iand(all_bits, 2097150) == 0)
  CHECK(any_bits == 2097150)
  CHECK(odd_bits == 0)
  CHECK(some .and. .not. every)
  CHECK(.not. same)
  CHECK(other)
end subroutine

subroutine scans
  use check
  implicit none
  integer :: i, total, prefix(60)
  total = 5
  !$omp parallel do reduction(inscan, +: total)
  do i = 1, 60
    total = total + i
    !$omp scan inclusive(total)
    prefix(i) = total
  end do
  CHECK(all(prefix == [(5 + i * (i + 1) / 2, i = 1, 60)]))
end subroutine

subroutine worksharing
  use check
  implicit none
  integer :: counts(6), values(20), squares(20), number, total, i
  character(len=12) :: word
  counts = 0
  values = 1
  !$omp parallel private(number, word)
  !$omp sections
  !$omp section
  counts(1) = counts(1) + 1
  !$omp section
  counts(2) = counts(2) + 1
  !$omp end sections
  !$omp single
  counts(3) = counts(3) + 1
  number = 42
  word = "broadcast"
  !$omp end single copyprivate(number, word)
  CHECK(number == 42 .and. word == 'broadcast')
  !$omp masked
  counts(4) = counts(4) + 1
  !$omp end masked
  !$omp barrier
  !$omp workshare
  squares = values * 3
  values = squares + 1
  where (values > 3) squares = 9
  forall (i = 1:20) values(i) = values(i) + i
  total = sum(values)
  !$omp end workshare
  CHECK(total == 290)
  !$omp critical (worksharing)
  counts(5) = counts(5) + 1
  !$omp end critical (worksharing)
  !$omp atomic
  counts(6) = counts(6) + 1
  !$omp end parallel
  CHECK(all(counts(1:4) == 1))
  CHECK(counts(5) == team_size() .and. counts(6) == team_size())
  CHECK(all(squares == 9))
  !$omp parallel workshare
  values = 2 * squares
  !$omp end parallel workshare
  CHECK(all(values == 18))
end subroutine

subroutine test
  implicit none
  call members
  call schedules
  call clauses
  call reductions
  call scans
  call worksharing
end subroutine
