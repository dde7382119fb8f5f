! SPDX-License-Identifier: Apache-2.0
! The module kasuri, each part of it: results, refusals, and what passes between tasks.
module parts
  use, intrinsic :: iso_c_binding
  use kasuri
  implicit none

  type :: account
    type(kasuri_mutex) :: mutex
    type(kasuri_cond) :: changed
    type(kasuri_sem) :: units
    type(kasuri_barrier) :: barrier
    type(kasuri_latch) :: done
    integer :: value = 0, last = 0
  end type

  type :: number
    integer :: n = 0, fib = 0
  end type

  type :: of_a_thread
    type(kasuri_key) :: key
    integer(c_int), pointer :: value => null()
  end type

  type :: array
    real(8), allocatable :: x(:)
  end type

contains

  subroutine expect(what, is)
    character(*), intent(in) :: what
    logical, intent(in) :: is
    if (.not. is) error stop "wrong: " // what
  end subroutine

  subroutine count_up(context)
    class(*), intent(inout) :: context
    logical :: last
    select type (a => context)
    type is (account)
      call kasuri_sem_acquire(a%units)
      call kasuri_mutex_lock(a%mutex)
      a%value = a%value + 1
      call kasuri_cond_broadcast(a%changed)
      do while (a%value < 100)
        call kasuri_cond_wait(a%changed, a%mutex)
      end do
      call kasuri_mutex_unlock(a%mutex)
      call kasuri_sem_release(a%units)
      call kasuri_barrier_wait(a%barrier, last)
      if (last) a%last = a%last + 1
      call kasuri_latch_count_down(a%done)
    class default
      error stop "not the context that was given"
    end select
  end subroutine

  recursive subroutine fib(context)
    class(*), intent(inout) :: context
    type(number), target :: a, b
    select type (s => context)
    type is (number)
      if (s%n < 2) then
        s%fib = s%n
        return
      end if
      a%n = s%n - 1
      b%n = s%n - 2
      call kasuri_invoke_with(fib, a, fib, b)
      s%fib = a%fib + b%fib
    end select
  end subroutine

  recursive subroutine fib_by_threads(context)
    class(*), intent(inout) :: context
    type(number), target :: a, b
    type(kasuri_thread) :: child
    select type (s => context)
    type is (number)
      if (s%n < 2) then
        s%fib = s%n
        return
      end if
      a%n = s%n - 1
      b%n = s%n - 2
      call kasuri_thread_create_with(child, fib_by_threads, a, policy=kasuri_child_first)
      call fib_by_threads(b)
      call kasuri_thread_join(child)
      call expect("a joined thread is null", child%is_null())
      s%fib = a%fib + b%fib
    end select
  end subroutine

  subroutine square(i, context)
    integer(c_int64_t), intent(in) :: i
    class(*), intent(inout) :: context
    select type (context)
    type is (array)
      context%x(i) = real(i, 8)**2
    end select
  end subroutine

  subroutine add_one(first, last, context)
    integer, intent(in) :: first, last
    class(*), intent(inout) :: context
    select type (context)
    type is (array)
      context%x(first:last) = context%x(first:last) + 1
    end select
  end subroutine

  ! Internal procedures on the stack of a task: their addresses are code on it.
  recursive integer function depth(n) result(sum)
    integer, intent(in) :: n
    integer :: left, right
    if (n == 0) then
      sum = 1
      return
    end if
    call kasuri_invoke(go_left, go_right)
    sum = left + right
  contains
    subroutine go_left()
      left = depth(n - 1)
    end subroutine
    subroutine go_right()
      right = depth(n - 1)
    end subroutine
  end function

  subroutine set(context)
    class(*), intent(inout) :: context
    type(kasuri_thread) :: self, again
    select type (v => context)
    type is (of_a_thread)
      call kasuri_key_set(v%key, c_loc(v%value))
      call expect("a value", c_associated(kasuri_key_get(v%key), c_loc(v%value)))
    end select
    self = kasuri_thread_self()
    again = kasuri_thread_self()
    call expect("a thread", .not. self%is_null() .and. self == again)
  end subroutine

  subroutine destroy(address) bind(c)
    type(c_ptr), value :: address
    integer(c_int), pointer :: value
    call c_f_pointer(address, value)
    value = value + 1
  end subroutine
end module

program consumer
  use parts
  implicit none
  integer :: status

  call fork_join()
  call loops()
  call threads()
  call values()
  call refusals()
  call places()
  call memory()
  call arenas()
  call kasuri_finalize()
  call kasuri_init(2)
  call expect("workers", kasuri_num_workers() == 2)
  call kasuri_init(3, stat=status)
  call expect("a second init", status == kasuri_error_state)
  print "(a)", "the module kasuri works"

contains

  subroutine fork_join()
    type(number) :: s
    s%n = 20
    call fib(s)
    call expect("fib", s%fib == 6765)
    s%n = 15
    call fib_by_threads(s)
    call expect("fib by threads", s%fib == 610)
    call expect("depth", depth(12) == 4096)
    call kasuri_keep_os_thread_with(fib, s)
    call expect("fib on one OS thread", s%fib == 610)
    s%fib = 0
    call kasuri_blocking_with(fib, s)
    call expect("fib outside the pool", s%fib == 610)
  end subroutine

  subroutine loops()
    type(array) :: a
    integer :: i
    integer, parameter :: n = 100000
    allocate (a%x(n), source=0.0_8)
    call kasuri_for_with(int(n, c_int64_t), square, a)
    call kasuri_for_blocks_with(11, n, add_one, a, grain=1000)
    call expect("a loop", all(nint(a%x, c_int64_t) == &
        [(int(i, c_int64_t)**2 + merge(1, 0, i > 10), i=1, n)]))
    call kasuri_for(5, 4, not_called)
    call kasuri_for(2, not_called, grain=-1, stat=status)
    call expect("a grain below 0", status == kasuri_error_invalid)
  end subroutine

  subroutine not_called(i)
    integer, intent(in) :: i
    print "(i0)", i
    error stop "an index of an empty loop"
  end subroutine

  subroutine threads()
    type(account), target :: a
    type(kasuri_thread) :: all(100)
    integer :: i
    logical :: yes
    call kasuri_sem_init(a%units, 100)
    call kasuri_barrier_init(a%barrier, 100)
    call kasuri_latch_init(a%done, 100)
    do i = 1, 100
      call kasuri_thread_create_with(all(i), count_up, a)
    end do
    call kasuri_latch_wait(a%done)
    do i = 1, 100
      call kasuri_thread_join(all(i))
    end do
    call expect("the count", a%value == 100)
    call expect("one arrives last", a%last == 1)
    call kasuri_latch_try_wait(a%done, yes)
    call expect("the latch is zero", yes)
    call kasuri_sem_try_acquire(a%units, yes)
    call expect("a unit", yes)
    call kasuri_mutex_try_lock(a%mutex, yes)
    call expect("a free mutex", yes)
    call kasuri_cond_wait_for(a%changed, a%mutex, 0.001_8, yes)
    call expect("nobody notifies", .not. yes)
    call kasuri_mutex_try_lock(a%mutex, yes)
    call expect("a held mutex", .not. yes)
    call kasuri_mutex_try_lock_for(a%mutex, 0.001_8, yes)
    call expect("a held mutex for a time", .not. yes)
    call kasuri_mutex_unlock(a%mutex)
    call kasuri_cond_destroy(a%changed)
    call kasuri_mutex_destroy(a%mutex)
    call kasuri_sem_destroy(a%units)
    call kasuri_barrier_destroy(a%barrier)
    call kasuri_latch_destroy(a%done)
    call kasuri_sleep(0.001_8)
    call kasuri_sleep(-1.0_8, stat=status)
    call expect("a time below 0", status == kasuri_error_invalid)
  end subroutine

  subroutine values()
    type(of_a_thread), target :: v
    type(kasuri_thread) :: thread
    allocate (v%value, source=0)
    call kasuri_key_create(v%key, destroy)
    call expect("no value", .not. c_associated(kasuri_key_get(v%key)))
    call kasuri_thread_create_with(thread, set, v)
    call kasuri_thread_join(thread)
    call expect("the destructor", v%value == 1)
    call kasuri_key_delete(v%key)
    call kasuri_key_delete(v%key, stat=status)
    call expect("a key that is gone", status == kasuri_error_invalid)
  end subroutine

  subroutine refusals()
    type(kasuri_mutex) :: mutex
    type(kasuri_thread) :: none
    call kasuri_mutex_unlock(mutex, stat=status)
    call expect("a mutex that nobody holds", status == kasuri_error_permission)
    call expect("its text", index(kasuri_strerror(status), "not held") > 0)
    call kasuri_thread_join(none, stat=status)
    call expect("no thread", status == kasuri_error_invalid)
  end subroutine

  subroutine places()
    type(kasuri_thread) :: thread
    type(number), target :: s
    s%n = 10
    call kasuri_thread_create_with(thread, fib, s, place=kasuri_place(kasuri_worker_place, 0))
    call kasuri_thread_join(thread)
    call expect("fib at a place", s%fib == 55)
    call kasuri_thread_create_with(thread, fib, s, place=kasuri_place(9, 0), stat=status)
    call expect("an unknown place", status == kasuri_error_invalid)
    call expect("no slot", kasuri_slot() == -1)
    call expect("slots", kasuri_max_slots() > 0)
    call expect("outside", kasuri_worker() == -1)
  end subroutine

  subroutine memory()
    real(8), pointer :: x(:, :)
    integer(c_int), pointer :: few(:)
    integer(c_int), allocatable :: nodes(:), cpus(:)
    integer(c_size_t) :: left
    type(c_ptr) :: bytes
    call kasuri_numa_nodes(nodes, cpus)
    call expect("a node", size(nodes) >= 1 .and. size(cpus) == size(nodes))
    call kasuri_numa_alloc(x, [300, 200], kasuri_distribution(kind=kasuri_cyclic, pages=2))
    call expect("its shape", all(shape(x) == [300, 200]))
    call expect("its zeros", all(abs(x) <= 0))
    x = 1
    call kasuri_numa_move(c_loc(x), 480000_c_size_t, &
        kasuri_distribution(kind=kasuri_on_node, node=nodes(1)), left)
    call expect("nothing is lost", nint(sum(x)) == 60000)
    call kasuri_numa_free(x)
    call expect("no array", .not. associated(x))
    call kasuri_numa_alloc(few, 10)
    call kasuri_numa_free(few)
    call kasuri_numa_alloc(few, -1, stat=status)
    call expect("a shape below 0", status == kasuri_error_invalid .and. .not. associated(few))
    call kasuri_numa_alloc_bytes(bytes, 100_c_size_t, kasuri_distribution(kind=77), stat=status)
    call expect("an unknown distribution", status == kasuri_error_invalid)
  end subroutine

  subroutine arenas()
    type(kasuri_arena) :: arena
    type(number), target :: s, t
    call kasuri_arena_create(arena, max_workers=1, priority=kasuri_priority_low)
    call expect("its bound", kasuri_arena_max_concurrency(arena) == 1)
    s%n = 10
    t%n = 11
    call kasuri_arena_enqueue_with(arena, fib, s)
    call kasuri_arena_execute_with(arena, fib, t)
    call kasuri_arena_destroy(arena)
    call expect("fib in an arena", s%fib == 55 .and. t%fib == 89)
    call kasuri_arena_create(arena, max_workers=-1, stat=status)
    call expect("a bound below 0", status == kasuri_error_invalid)
  end subroutine
end program
