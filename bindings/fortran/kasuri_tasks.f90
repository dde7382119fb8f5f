! SPDX-License-Identifier: Apache-2.0
! The pool, fork-join, threads and their values, arenas, calls that block.
module kasuri_tasks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use kasuri_base
  use kasuri_c, only: kasuri_success, kasuri_error_invalid, kasuri_error_memory, &
      kasuri_parent_first, kasuri_priority_normal, kasuri_place, kasuri_thread_options, &
      c_init => kasuri_init, c_finalize => kasuri_finalize, c_invoke => kasuri_invoke, &
      c_keep_os_thread => kasuri_keep_os_thread, c_blocking => kasuri_blocking, &
      c_create => kasuri_thread_create_with, c_join => kasuri_thread_join, &
      c_detach => kasuri_thread_detach, c_self => kasuri_thread_self, &
      c_sleep_ns => kasuri_sleep_ns, &
      c_key_create => kasuri_key_create, c_key_delete => kasuri_key_delete, &
      c_key_set => kasuri_key_set, c_key_get => kasuri_key_get, &
      c_arena_create => kasuri_arena_create, c_arena_destroy => kasuri_arena_destroy, &
      c_arena_execute => kasuri_arena_execute, c_arena_enqueue => kasuri_arena_enqueue, &
      c_arena_max => kasuri_arena_max_concurrency
  implicit none
  private
  public :: kasuri_init, kasuri_finalize
  public :: kasuri_invoke, kasuri_invoke_with, kasuri_keep_os_thread, kasuri_keep_os_thread_with
  public :: kasuri_thread, kasuri_thread_create, kasuri_thread_create_with, kasuri_thread_join, &
      kasuri_thread_detach, kasuri_thread_self, kasuri_sleep
  public :: kasuri_key, kasuri_key_create, kasuri_key_delete, kasuri_key_set, kasuri_key_get
  public :: kasuri_blocking, kasuri_blocking_with
  public :: kasuri_arena, kasuri_arena_create, kasuri_arena_destroy, kasuri_arena_execute, &
      kasuri_arena_execute_with, kasuri_arena_enqueue, kasuri_arena_enqueue_with, &
      kasuri_arena_max_concurrency

  ! A user-level thread. Null before it is created and after it is joined.
  type :: kasuri_thread
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: is_null => thread_is_null
    procedure, private :: is_same => threads_are_same
    generic :: operator(==) => is_same
  end type

  ! Names an address that every thread has of its own.
  type :: kasuri_key
    private
    integer(c_int32_t) :: number = -1
  end type

  ! A part of the program that runs on so many workers at once at most.
  type :: kasuri_arena
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  abstract interface
    subroutine kasuri_destructor(address) bind(c)
      import :: c_ptr
      type(c_ptr), value :: address
    end subroutine
  end interface

  ! The names of C, under which gfortran would take other procedures for those of C.
  interface kasuri_init; procedure do_init; end interface
  interface kasuri_finalize; procedure do_finalize; end interface
  interface kasuri_invoke; procedure do_invoke; end interface
  interface kasuri_keep_os_thread; procedure do_keep_os_thread; end interface
  interface kasuri_thread_create; procedure do_thread_create; end interface
  interface kasuri_thread_create_with; procedure do_thread_create_with; end interface
  interface kasuri_thread_join; procedure do_thread_join; end interface
  interface kasuri_thread_detach; procedure do_thread_detach; end interface
  interface kasuri_thread_self; procedure do_thread_self; end interface
  interface kasuri_key_create; procedure do_key_create; end interface
  interface kasuri_key_delete; procedure do_key_delete; end interface
  interface kasuri_key_set; procedure do_key_set; end interface
  interface kasuri_key_get; procedure do_key_get; end interface
  interface kasuri_blocking; procedure do_blocking; end interface
  interface kasuri_arena_create; procedure do_arena_create; end interface
  interface kasuri_arena_destroy; procedure do_arena_destroy; end interface
  interface kasuri_arena_execute; procedure do_arena_execute; end interface
  interface kasuri_arena_enqueue; procedure do_arena_enqueue; end interface
  interface kasuri_arena_max_concurrency; procedure do_arena_max_concurrency; end interface

contains

  ! ---- the pool ----------------------------------------------------------------------------------

  ! Optional: the first use starts the pool by the settings of the environment. Without `workers`
  ! there are as many as the environment says.
  subroutine do_init(workers, stat)
    integer, optional, intent(in) :: workers
    integer, optional, intent(out) :: stat
    integer(c_int) :: n
    n = 0
    if (present(workers)) n = int(workers, c_int)
    call settle(c_init(n), "kasuri_init", stat)
  end subroutine

  subroutine do_finalize(stat)
    integer, optional, intent(out) :: stat
    call settle(c_finalize(), "kasuri_finalize", stat)
  end subroutine

  ! ---- fork-join ---------------------------------------------------------------------------------

  ! Calls both, maybe at the same time, and returns when both have returned.
  subroutine do_invoke(first, second, stat)
    procedure(kasuri_task) :: first, second
    integer, optional, intent(out) :: stat
    type(task_record), target :: a, b
    a%plain => first
    b%plain => second
    call invoke_records(a, b, stat)
  end subroutine

  subroutine kasuri_invoke_with(first, first_context, second, second_context, stat)
    procedure(kasuri_task_with) :: first, second
    class(*), target, intent(inout) :: first_context, second_context
    integer, optional, intent(out) :: stat
    type(task_record), target :: a, b
    a%with => first
    a%context => first_context
    b%with => second
    b%context => second_context
    call invoke_records(a, b, stat)
  end subroutine

  subroutine invoke_records(a, b, stat)
    type(task_record), target, intent(in) :: a, b
    integer, optional, intent(out) :: stat
    call settle(c_invoke(c_funloc(call_task), c_loc(a), c_funloc(call_task), c_loc(b)), &
        "kasuri_invoke", stat)
  end subroutine

  ! Calls `body`, which goes on on this OS thread whenever it waits.
  subroutine do_keep_os_thread(body, stat)
    procedure(kasuri_task) :: body
    integer, optional, intent(out) :: stat
    type(task_record), target :: record
    record%plain => body
    call settle(c_keep_os_thread(c_funloc(call_task), c_loc(record)), "kasuri_keep_os_thread", stat)
  end subroutine

  subroutine kasuri_keep_os_thread_with(body, context, stat)
    procedure(kasuri_task_with) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(out) :: stat
    type(task_record), target :: record
    record%with => body
    record%context => context
    call settle(c_keep_os_thread(c_funloc(call_task), c_loc(record)), "kasuri_keep_os_thread", stat)
  end subroutine

  ! ---- threads -----------------------------------------------------------------------------------

  ! `body` runs as a thread of its own, to be joined or detached once. An internal procedure must
  ! have ended before its host returns.
  subroutine do_thread_create(thread, body, policy, place, hint, hint_bytes, stat)
    type(kasuri_thread), intent(out) :: thread
    procedure(kasuri_task) :: body
    integer, optional, intent(in) :: policy
    type(kasuri_place), optional, intent(in) :: place
    type(c_ptr), optional, intent(in) :: hint
    integer(c_size_t), optional, intent(in) :: hint_bytes
    integer, optional, intent(out) :: stat
    type(task_record), pointer :: record
    allocate (record)
    record%plain => body
    call create_for(record, thread, options_of(policy, place, hint, hint_bytes), stat)
  end subroutine

  ! `context` lives until the thread has ended: the actual argument is a target, or allocated.
  subroutine do_thread_create_with(thread, body, context, policy, place, hint, hint_bytes, stat)
    type(kasuri_thread), intent(out) :: thread
    procedure(kasuri_task_with) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(in) :: policy
    type(kasuri_place), optional, intent(in) :: place
    type(c_ptr), optional, intent(in) :: hint
    integer(c_size_t), optional, intent(in) :: hint_bytes
    integer, optional, intent(out) :: stat
    type(task_record), pointer :: record
    allocate (record)
    record%with => body
    record%context => context
    call create_for(record, thread, options_of(policy, place, hint, hint_bytes), stat)
  end subroutine

  pure function options_of(policy, place, hint, hint_bytes) result(options)
    integer, optional, intent(in) :: policy
    type(kasuri_place), optional, intent(in) :: place
    type(c_ptr), optional, intent(in) :: hint
    integer(c_size_t), optional, intent(in) :: hint_bytes
    type(kasuri_thread_options) :: options
    if (present(policy)) options%policy = int(policy, c_int)
    if (present(place)) options%place = place
    if (present(hint)) options%hint = hint
    if (present(hint_bytes)) options%hint_bytes = hint_bytes
  end function

  subroutine create_for(record, thread, options, stat)
    type(task_record), pointer, intent(inout) :: record
    type(kasuri_thread), intent(inout) :: thread
    type(kasuri_thread_options), intent(in) :: options
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = c_create(thread%handle, c_funloc(call_and_answer), c_loc(record), options)
    if (status /= kasuri_success) deallocate (record)
    call settle(status, "kasuri_thread_create", stat)
  end subroutine

  subroutine do_thread_join(thread, stat)
    type(kasuri_thread), intent(inout) :: thread
    integer, optional, intent(out) :: stat
    type(c_ptr) :: nothing
    integer(c_int) :: status
    status = c_join(thread%handle, nothing)
    if (status == kasuri_success) thread%handle = c_null_ptr
    call settle(status, "kasuri_thread_join", stat)
  end subroutine

  subroutine do_thread_detach(thread, stat)
    type(kasuri_thread), intent(inout) :: thread
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = c_detach(thread%handle)
    if (status == kasuri_success) thread%handle = c_null_ptr
    call settle(status, "kasuri_thread_detach", stat)
  end subroutine

  ! Null in tasks and on OS threads.
  function do_thread_self() result(thread)
    type(kasuri_thread) :: thread
    thread%handle = c_self()
  end function

  logical function thread_is_null(self)
    class(kasuri_thread), intent(in) :: self
    thread_is_null = .not. c_associated(self%handle)
  end function

  logical function threads_are_same(self, other)
    class(kasuri_thread), intent(in) :: self, other
    threads_are_same = c_associated(self%handle, other%handle)
  end function

  subroutine kasuri_sleep(seconds, stat)
    real(real64), intent(in) :: seconds
    integer, optional, intent(out) :: stat
    if (is_time(seconds)) then
      call settle(c_sleep_ns(nanoseconds(seconds)), "kasuri_sleep", stat)
    else
      call settle(kasuri_error_invalid, "kasuri_sleep", stat)
    end if
  end subroutine

  ! ---- values of threads -------------------------------------------------------------------------

  ! `destructor` is called at the end of each user-level thread with its value, if that is not null.
  subroutine do_key_create(key, destructor, stat)
    type(kasuri_key), intent(out) :: key
    procedure(kasuri_destructor), optional :: destructor
    integer, optional, intent(out) :: stat
    type(c_funptr) :: call_at_end
    call_at_end = c_null_funptr
    if (present(destructor)) call_at_end = c_funloc(destructor)
    call settle(c_key_create(key%number, call_at_end), "kasuri_key_create", stat)
  end subroutine

  subroutine do_key_delete(key, stat)
    type(kasuri_key), intent(in) :: key
    integer, optional, intent(out) :: stat
    call settle(c_key_delete(key%number), "kasuri_key_delete", stat)
  end subroutine

  subroutine do_key_set(key, address, stat)
    type(kasuri_key), intent(in) :: key
    type(c_ptr), intent(in) :: address
    integer, optional, intent(out) :: stat
    call settle(c_key_set(key%number, address), "kasuri_key_set", stat)
  end subroutine

  function do_key_get(key) result(address)
    type(kasuri_key), intent(in) :: key
    type(c_ptr) :: address
    address = c_key_get(key%number)
  end function

  ! ---- calls that block --------------------------------------------------------------------------

  ! Calls `body`, which may block in the operating system, outside the pool.
  subroutine do_blocking(body, stat)
    procedure(kasuri_task) :: body
    integer, optional, intent(out) :: stat
    type(task_record), pointer :: record
    allocate (record)
    record%plain => body
    call block_with(record, stat)
  end subroutine

  subroutine kasuri_blocking_with(body, context, stat)
    procedure(kasuri_task_with) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(out) :: stat
    type(task_record), pointer :: record
    allocate (record)
    record%with => body
    record%context => context
    call block_with(record, stat)
  end subroutine

  subroutine block_with(record, stat)
    type(task_record), pointer, intent(in) :: record
    integer, optional, intent(out) :: stat
    type(c_ptr) :: nothing
    call settle(c_blocking(c_funloc(call_and_answer), c_loc(record), nothing), "kasuri_blocking", &
        stat)
  end subroutine

  ! ---- arenas ------------------------------------------------------------------------------------

  ! Without `max_workers` it has no bound, for a priority alone.
  subroutine do_arena_create(arena, max_workers, priority, stat)
    type(kasuri_arena), intent(out) :: arena
    integer, optional, intent(in) :: max_workers, priority
    integer, optional, intent(out) :: stat
    integer(c_int) :: most, first
    most = 0
    first = kasuri_priority_normal
    if (present(max_workers)) most = int(max_workers, c_int)
    if (present(priority)) first = int(priority, c_int)
    call settle(c_arena_create(arena%handle, most, first), "kasuri_arena_create", stat)
  end subroutine

  ! Waits until all that was enqueued has ended.
  subroutine do_arena_destroy(arena, stat)
    type(kasuri_arena), intent(inout) :: arena
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = c_arena_destroy(arena%handle)
    if (status == kasuri_success) arena%handle = c_null_ptr
    call settle(status, "kasuri_arena_destroy", stat)
  end subroutine

  ! Calls `body` inside of the arena, on the caller's own stack.
  subroutine do_arena_execute(arena, body, stat)
    type(kasuri_arena), intent(in) :: arena
    procedure(kasuri_task) :: body
    integer, optional, intent(out) :: stat
    type(task_record), target :: record
    record%plain => body
    call settle(c_arena_execute(arena%handle, c_funloc(call_task), c_loc(record)), &
        "kasuri_arena_execute", stat)
  end subroutine

  subroutine kasuri_arena_execute_with(arena, body, context, stat)
    type(kasuri_arena), intent(in) :: arena
    procedure(kasuri_task_with) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(out) :: stat
    type(task_record), target :: record
    record%with => body
    record%context => context
    call settle(c_arena_execute(arena%handle, c_funloc(call_task), c_loc(record)), &
        "kasuri_arena_execute", stat)
  end subroutine

  ! Has `body` run inside of the arena, and returns.
  subroutine do_arena_enqueue(arena, body, stat)
    type(kasuri_arena), intent(in) :: arena
    procedure(kasuri_task) :: body
    integer, optional, intent(out) :: stat
    type(task_record), pointer :: record
    allocate (record)
    record%plain => body
    call enqueue_in(arena, record, stat)
  end subroutine

  subroutine kasuri_arena_enqueue_with(arena, body, context, stat)
    type(kasuri_arena), intent(in) :: arena
    procedure(kasuri_task_with) :: body
    class(*), target, intent(inout) :: context
    integer, optional, intent(out) :: stat
    type(task_record), pointer :: record
    allocate (record)
    record%with => body
    record%context => context
    call enqueue_in(arena, record, stat)
  end subroutine

  subroutine enqueue_in(arena, record, stat)
    type(kasuri_arena), intent(in) :: arena
    type(task_record), pointer, intent(inout) :: record
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = c_arena_enqueue(arena%handle, c_funloc(call_and_free), c_loc(record))
    if (status /= kasuri_success) deallocate (record)
    call settle(status, "kasuri_arena_enqueue", stat)
  end subroutine

  integer function do_arena_max_concurrency(arena)
    type(kasuri_arena), intent(in) :: arena
    do_arena_max_concurrency = int(c_arena_max(arena%handle))
  end function
end module
