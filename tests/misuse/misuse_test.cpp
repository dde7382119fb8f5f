// SPDX-License-Identifier: Apache-2.0
// Wrong settings, wrong calls, and nothing left of something: each case is a process of its own that
// must say one clear line and end as promised. The table is at the end.

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <kasuri/kasuri.h>
#include <kasuri/kasuri.hpp>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "kasuri/detail/atomics.hpp"
#include "platform/mapping_limit.hpp"
#include "platform/memory.hpp"
#include "sched/worker/worker.hpp"
#include "support/child.hpp"
#include "support/filter.hpp"
#include "support/mappings.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

int say(const char* line) {
  std::fprintf(stderr, "%s\n", line);
  return 0;
}

// ---- what the children do; the result is the exit status --------------------------------------

int use() {
  const auto [a, b] = parallel_invoke([] { return 20; }, [] { return 22; });
  return a + b == 42 ? 0 : 1;
}

template <class E, class F>
int throws(F f) {
  try {
    f();
  } catch (const E& e) {
    return say(e.what());
  }
  return 1;
}

int initialize_twice() {
  initialize({.workers = 1});
  return throws<std::logic_error>([] { initialize({.workers = 1}); });
}
int too_many_workers() {
  return throws<std::invalid_argument>([] { initialize({.workers = 5000}); });
}
int tiny_stack() {
  return throws<std::invalid_argument>([] { initialize({.workers = 1, .stack_size = 100}); });
}
/// As many workers as the table accepts, and a guest.
int most_workers() {
  if (num_workers() != 2048 || use() != 0) return 1;
  return say("2048 workers");
}
int second_stack_size() {
  initialize({.workers = 1, .stack_size = 64 * 1024});
  run([] {
    task_group g;
    g.run([] {}, spawn::child_first);
    g.wait();
  });
  finalize();
  initialize({.workers = 1});
  finalize();
  return throws<std::logic_error>([] { initialize({.workers = 1, .stack_size = 1 << 20}); });
}
int finalize_inside() {
  return throws<std::logic_error>([] { run([] { finalize(); }); });
}
int overfull_semaphore() {
  semaphore s(semaphore::most);
  return throws<std::overflow_error>([&s] { s.release(); });
}
int barrier_of_none() {
  return throws<std::invalid_argument>([] { barrier b(0); });
}
int latch_below_zero() {
  latch l(1);
  return throws<std::invalid_argument>([&l] { l.count_down(2); });
}
int condition_without_mutex() {
  mutex m;
  condition_variable c;
  std::unique_lock lock(m, std::defer_lock);
  return throws<std::logic_error>([&] { c.wait(lock); });
}
int group_waited_elsewhere() {
  semaphore never(0);
  std::unique_ptr<task_group> group;
  run([&] {
    group = std::make_unique<task_group>();
    group->run([&never] { never.acquire(); });
  });
  group->wait();
  return 1;
}
int future_of_two() {
  semaphore never(0);
  const future<void> f = async([&never] { never.acquire(); });
  task_group group;
  for (int i = 0; i != 2; ++i) group.run([&f] { f.wait(); });
  group.wait();
  return 1;
}
int future_of_nothing() {
  future<int> f = async([] { return 1; });
  if (f.get() != 1) return 1;
  return throws<std::logic_error>([&f] { f.get(); });
}
int loop_from_below_zero() {
  return throws<std::out_of_range>([] { parallel_for(-1, std::size_t{4}, [](std::size_t) {}); });
}
/// Rounds in which the light side stores x and reads y, the heavy side stores y and reads x; the
/// result is in how many neither saw the other's store, which the fences forbid.
int both_blind(int rounds) {
  using detail::real_atomics;
  std::atomic<int> begun{0}, x{0}, y{0}, seen{0}, ended{0};
  std::thread light([&] {
    for (int r = 1; r <= rounds; ++r) {
      while (begun.load(std::memory_order_acquire) < r) real_atomics::pause();
      x.store(r, std::memory_order_relaxed);
      real_atomics::fence_light();
      seen.store(y.load(std::memory_order_relaxed), std::memory_order_relaxed);
      ended.store(r, std::memory_order_release);
    }
  });
  int blind = 0;
  for (int r = 1; r <= rounds; ++r) {
    begun.store(r, std::memory_order_release);
    y.store(r, std::memory_order_relaxed);
    real_atomics::fence_heavy();
    const bool saw = x.load(std::memory_order_relaxed) == r;
    for (unsigned n = 0; ended.load(std::memory_order_acquire) < r; ++n) real_atomics::backoff(n);
    blind += !saw && seen.load(std::memory_order_relaxed) != r;
  }
  light.join();
  return blind;
}
int use_and_fence() {
  if (both_blind(300) != 0 || use() != 0) return 1;
  std::atomic<int> sum{0};
  parallel_for(0, 2000, [&sum](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
  return sum.load() == 1999000 ? say("right by another fence") : 1;
}
int membarrier_forbidden() {
  return refuse_call(SYS_membarrier, EPERM) ? use_and_fence() : 3;
}
int membarrier_unknown() { return refuse_call(SYS_membarrier, ENOSYS) ? use_and_fence() : 3; }
int membarrier_taken_away() {
  if (use() != 0) return 1;
  return refuse_call(SYS_membarrier, EPERM) ? use_and_fence() : 3;
}
/// Nor may a page alone be given back: processors are visited.
int membarrier_and_page_forbidden() {
  const auto page = static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE));
  return refuse_call(SYS_membarrier, EPERM) && refuse_call(SYS_munmap, EPERM, page) ? use_and_fence()
                                                                                     : 3;
}
int no_fence_at_all() {
  const auto page = static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE));
  if (!refuse_call(SYS_membarrier, EPERM) || !refuse_call(SYS_munmap, EPERM, page) ||
      !refuse_call(SYS_sched_setaffinity, EPERM))
    return 3;
  return use();
}
/// As deep as it is told; the stack of an OS thread ends before.
long nest(long depth) {  // NOLINT(misc-no-recursion)
  if (depth == 0) return 0;
  const auto [a, b] = parallel_invoke([depth] { return nest(depth - 1); }, [] { return 1L; });
  return a + b;
}
int overflow_main() { return nest(100'000'000) == 0 ? 1 : 2; }
int overflow_guest() {
  std::thread guest([] { static_cast<void>(nest(100'000'000)); });
  guest.join();
  return 1;
}
/// A null pointer is no overflow: the system's silent end.
int null_pointer() {
  use();
  say("no overflow");
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
  return 1;
}

/// Calls f in a task on a worker, while the calling thread stays outside of the pool; f's result.
template <class F>
int on_worker(F f) {
  std::atomic<int> result{-1};
  const future<void> task = async([&] {
    // release: pairs with the acquire below
    result.store(f(), std::memory_order_release);
  });
  while (result.load(std::memory_order_acquire) < 0) usleep(100);
  task.wait();
  return result.load(std::memory_order_relaxed);
}
int raise_in_task() {
  say("raised");
  return on_worker([] { return raise(SIGTERM) + 1; });
}
constinit std::atomic<int> handled_by{0};
constinit std::atomic<int> handled_in_pool{0};
void note_handler(int) {
  handled_by.store(gettid(), std::memory_order_relaxed);
  if (gettid() != getpid()) handled_in_pool.fetch_add(1, std::memory_order_relaxed);
}
int raise_handled_in_task() {
  signal(SIGTERM, note_handler);
  return on_worker([] {
    return raise(SIGTERM) == 0 && handled_by.load(std::memory_order_relaxed) == gettid()
               ? say("handled")
               : 1;
  });
}
int write_to_nobody() {
  int ends[2];
  if (pipe(ends) != 0 || close(ends[0]) != 0) return 3;
  say("written");
  return on_worker([&] { return write(ends[1], "x", 1) < 0 ? 1 : 2; });
}
/// Ends when the profiler's signal has interrupted a worker three times.
int profile_worker() {
  signal(SIGPROF, note_handler);
  const itimerval often{{0, 1000}, {0, 1000}};
  if (setitimer(ITIMER_PROF, &often, nullptr) != 0) return 3;
  return on_worker([] {
    while (handled_in_pool.load(std::memory_order_relaxed) < 3) detail::real_atomics::pause();
    return say("sampled");
  });
}
/// What the program blocks before it starts the pool waits for the program.
int wait_for_signal() {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &one, nullptr);
  if (on_worker([] { return kill(getpid(), SIGUSR1); }) != 0) return 1;
  int got = 0;
  return sigwait(&one, &got) == 0 && got == SIGUSR1 ? say("waited for") : 1;
}
int unlock_unlocked() {
  mutex m;
  m.unlock();
  return 0;
}

int c_says(int error, int promised) {
  if (error != promised) return 1;
  return say(kasuri_strerror(error));
}
int c_create_null() {
  return c_says(kasuri_thread_create(nullptr, nullptr, nullptr, KASURI_PARENT_FIRST),
                KASURI_ERROR_INVALID);
}
int c_join_itself() {
  kasuri_thread_t t;
  static int refused;
  refused = 0;
  const auto main = [](void*) -> void* {
    refused = kasuri_thread_join(kasuri_thread_self(), nullptr);
    return nullptr;
  };
  if (kasuri_thread_create(&t, main, nullptr, KASURI_PARENT_FIRST) != 0) return 1;
  if (kasuri_thread_join(t, nullptr) != 0) return 1;
  return c_says(refused, KASURI_ERROR_DEADLOCK);
}
int c_unlock_unlocked() {
  kasuri_mutex_t m;
  kasuri_mutex_init(&m);
  return c_says(kasuri_mutex_unlock(&m), KASURI_ERROR_PERMISSION);
}
int c_wrong_key() {
  return c_says(kasuri_key_set(12345, nullptr), KASURI_ERROR_INVALID);
}

/// Starts tasks that wait, each on a stack of its own, until one is refused, and calls f on the stack of that
/// one, which is the last. Then all go on. False unless each of them went on or was refused.
template <class F>
bool on_the_last_stack(F f) {
  async([] {}).get();  // the pool's own thread has what it needs
  std::atomic<int> got{0}, refused{0};
  int started = 0;
  run([&] {
    semaphore s(0);
    task_group g;
    for (; refused.load() == 0; ++started)
      g.run(
          [&] {
            try {
              s.acquire();
              got.fetch_add(1);
            } catch (const std::bad_alloc&) {
              refused.fetch_add(1);
              f();
            }
          },
          spawn::child_first);
    s.release(static_cast<std::size_t>(started));
    g.wait();
  });
  return refused.load() == 1 && got.load() + 1 == started;
}

/// A task is queued above those of the group, so that the group must leave the stack to wait.
template <class F>
void with_a_group_that_must_wait(F f) {
  task_group g;
  g.run([] {});
  future<void> above = async([] {});
  f(g);
  above.get();
}

/// A destructor cannot throw.
int wait_without_stack() {
  on_the_last_stack([] {
    const future<void> above = [] {
      task_group g;
      g.run([] {});
      return async([] {});
    }();
  });
  return 0;
}

/// What waits throws, has changed nothing, and the program goes on.
int no_stack_to_wait_with() {
  int thrown = 0;
  const auto throws_here = [&thrown](auto f) {
    try {
      f();
    } catch (const std::bad_alloc&) {
      ++thrown;
    }
  };
  const bool went_on = on_the_last_stack([&] {
    semaphore none(0);
    barrier both(2);
    latch never(1);
    mutex held;
    condition_variable changed;
    held.lock();
    throws_here([&] { none.acquire(); });
    throws_here([&] { both.arrive_and_wait(); });
    throws_here([&] { never.wait(); });
    throws_here([&] { held.lock(); });
    throws_here([&] { changed.wait(held); });
    with_a_group_that_must_wait([&](task_group& g) { throws_here([&] { g.wait(); }); });
    future<void> below = async([] {});
    future<void> above = async([] {});
    throws_here([&] { below.get(); });
    above.get();
    below.get();
    kasuri_sem_t c;
    kasuri_sem_init(&c, 0);
    if (kasuri_sem_acquire(&c) == KASURI_ERROR_MEMORY) ++thrown;
    held.unlock();
    if (!none.is_idle() || !both.is_idle() || !never.is_idle() || !held.is_idle()) thrown = 0;
  });
  return went_on && thrown == 8 ? 0 : 1;
}

/// A closure whose last copy's destructor throws.
struct throws_at_end {
  bool armed = true;
  throws_at_end() = default;
  throws_at_end(throws_at_end&& other) noexcept : armed(std::exchange(other.armed, false)) {}
  ~throws_at_end() noexcept(false) {
    if (armed) throw std::runtime_error("from a destructor");
  }
  void operator()() const {}
};
/// The program's own handler knows what was thrown.
void terminated() { ::_exit(std::current_exception() != nullptr ? 3 : 4); }
int group_closure_throws_at_end() {
  std::set_terminate(terminated);
  task_group g;
  g.run(throws_at_end());
  g.wait();
  return 1;
}
int future_closure_throws_at_end() {
  std::set_terminate(terminated);
  async(throws_at_end()).get();
  return 1;
}

void exit_thread() { pthread_exit(nullptr); }
int exit_in_group() {
  task_group g;
  g.run(exit_thread);
  g.wait();
  return 1;
}
int exit_in_group_on_stack_of_its_own() {
  run([] {
    task_group g;
    g.run(exit_thread, spawn::child_first);
    g.wait();
  });
  return 1;
}
int exit_in_future() {
  async(exit_thread).get();
  return 1;
}
int exit_in_invoke() {
  on_worker([] {
    parallel_invoke(exit_thread, [] {});
    return 0;
  });
  return 1;
}
int exit_in_c_thread() {
  kasuri_thread_t t;
  const auto main = [](void*) -> void* { pthread_exit(nullptr); };
  kasuri_thread_create(&t, main, nullptr, KASURI_PARENT_FIRST);
  kasuri_thread_join(t, nullptr);
  return 1;
}
/// Cancellation from outside, with no code between that could be unwound.
int cancel_worker() {
  std::atomic<pthread_t> worker{};
  std::atomic<bool> known{false};
  const future<void> task = async([&] {
    worker.store(pthread_self());
    known.store(true);
    pause();
  });
  while (!known.load()) usleep(100);
  pthread_cancel(worker.load());
  task.wait();
  return 1;
}
/// A thread that called in may end itself on its own stack, as everything below is unwound.
int exit_inside_run() {
  std::thread guest([] { run(exit_thread); });
  guest.join();
  return use() == 0 ? say("left") : 1;
}

/// Two guests run at one time, as the first is blocked; the second waits for its slot.
int one_slot_for_two() {
  if (max_slots() != 1) return 3;
  std::atomic<bool> blocked{false}, other_runs{false};
  int count = 0;  // plain: the slot orders
  std::thread second([&] {
    while (!blocked.load()) usleep(100);
    run([&] {
      other_runs.store(true);
      count += this_task::slot() + 1;
    });
  });
  run([&] {
    count += this_task::slot() + 1;
    blocking([&] {
      blocked.store(true);
      while (!other_runs.load()) usleep(100);
      usleep(20'000);
    });
    ++count;
  });
  second.join();
  return count == 3 ? say("one after the other") : 1;
}

/// A kernel before 6.13: a guard page is a mapping. More stacks than guard pages, and yet no end.
int guards_leave_mappings() {
  constexpr std::uint32_t guard_install = 102;
  if (!refuse_call(SYS_madvise, EINVAL, guard_install, 2)) return 3;
  return run([] {
    use_up_mappings(4000);
    const bool all = block_at_once(3000) == 3000;
    const bool room = platform::mappings() + 1000 < platform::most_mappings();
    return (all ? 0 : 4) + (room ? 0 : 8);
  });
}

int no_mappings_left() {
  run([] { return block_at_once(2); });  // threads and memory for tasks are there
  use_up_mappings(0);
  return on_the_last_stack([] {}) ? 0 : 1;
}

/// Nothing in Kasuri does this: there is one thread at home on a worker. If it happened, a frame must not be lost.
int second_frame() {
  run([] {
    static detail::frame first;
    static detail::frame second;
    sched::worker& w = *sched::current();
    w.bring(&first);
    w.bring(&second);
  });
  return 0;
}

[[gnu::noinline]] long dig(long depth) {
  volatile char room[512];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : dig(depth - 1) + room[0];
}

int overflow() {
  run([] {
    task_group g;
    g.run([] { dig(10'000'000); }, spawn::child_first);
    g.wait();
  });
  return 0;
}

/// Leaves the process less address space than the stack of one OS thread.
void forbid_threads() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  const auto bytes = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + (1 << 20));
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

int without_threads() {
  return run([] {
    forbid_threads();  // the pool and the caller's place in it are there, but no thread yet
    return use();
  });
}

// ---- the table --------------------------------------------------------------------------------

struct misuse {
  const char* name;
  int (*child)();
  child_setup setup;
  const char* said;  // the one line holds this
  int exit_code;
  int signal = 0;
  bool plain = false;  // needs what sanitizers and emulators take: the signal, the address space
  int lines = 1;       // 2: a warning goes before it
};

child_setup with(const char* name, const char* value) { return {.environment = {{name, value}}}; }

const misuse table[] = {
    {"workers_are_no_number", use, with("KASURI_NUM_WORKERS", "abc"),
     "KASURI_NUM_WORKERS=abc: not a whole number; accepted: 1 to 2048", 2},
    {"no_workers", use, with("KASURI_NUM_WORKERS", "0"),
     "KASURI_NUM_WORKERS=0: too small; accepted: 1 to 2048", 2},
    {"workers_beyond_numbers", use, with("KASURI_NUM_WORKERS", "99999999999999999999"),
     "too large; accepted: 1 to 2048", 2},
    {"most_workers", most_workers, with("KASURI_NUM_WORKERS", "2048"), "2048 workers", 0},
    {"stack_without_unit", use, with("KASURI_STACK_SIZE", "64Q"),
     "KASURI_STACK_SIZE=64Q: not a size; accepted: 16K to 1G", 2},
    {"stack_too_small", use, with("KASURI_STACK_SIZE", "1K"),
     "KASURI_STACK_SIZE=1K: too small; accepted: 16K to 1G", 2},
    {"policy_misspelt", use, with("KASURI_SCHED", "nera"),
     "KASURI_SCHED=nera: unknown name (did you mean near?); accepted: near or random or adws", 2},
    {"neither_on_nor_off", use, with("KASURI_BIND", "perhaps"),
     "KASURI_BIND=perhaps: neither on nor off; accepted: on or off", 2},
    {"monitor_negative", use, with("KASURI_MONITOR", "-4"),
     "KASURI_MONITOR=-4: too small; accepted: 0 to 1000", 2},
    {"queue_empty", use, with("KASURI_QUEUE_LIMIT", ""),
     "KASURI_QUEUE_LIMIT=: the value is empty; accepted: 16 to 1000000", 2},
    {"trace_to_nowhere", use, with("KASURI_TRACE", "/nowhere/at/all/trace"),
     "KASURI_TRACE=/nowhere/at/all/trace: cannot write there", 0},
    {"unknown_setting", use, with("KASURI_NUM_WORKER", "2"),
     "KASURI_NUM_WORKER is no setting of Kasuri (did you mean KASURI_NUM_WORKERS?)", 0},
    {"initialize_twice", initialize_twice, {}, "kasuri::initialize: the pool runs already", 0},
    {"too_many_workers", too_many_workers, {}, "kasuri::initialize: workers = 5000; accepted: 1 to 2048", 0},
    {"tiny_stack", tiny_stack, {}, "stack_size = 100; accepted: 16384 to 1073741824", 0},
    {"second_stack_size", second_stack_size, {},
     "stack_size = 1048576; the stacks of this process have 65536 bytes already", 0},
    {"finalize_inside", finalize_inside, {}, "kasuri::finalize: called from inside", 0},
    {"overfull_semaphore", overfull_semaphore, {}, "kasuri::semaphore::release: n = 1 more than the 4294967295", 0},
    {"barrier_of_none", barrier_of_none, {}, "kasuri::barrier: threads = 0; accepted: 1 to 4294967295", 0},
    {"latch_below_zero", latch_below_zero, {}, "kasuri::latch::count_down: n = 2; what is left: 1", 0},
    {"condition_without_mutex", condition_without_mutex, {}, "does not hold its mutex", 0},
    {"unlock_unlocked", unlock_unlocked, {}, "kasuri: mutex::unlock: the mutex is not locked", 2},
    {"group_waited_elsewhere", group_waited_elsewhere, {},
     "kasuri: task_group: waited for outside of the task", 2},
    {"future_of_two", future_of_two, {}, "kasuri: future: two threads wait for the same task", 2},
    {"future_of_nothing", future_of_nothing, {}, "kasuri::future: no task behind it", 0},
    {"loop_from_below_zero", loop_from_below_zero, {},
     "kasuri: a loop from a negative index to an unsigned one", 0},
    {"c_create_null", c_create_null, {}, kasuri_strerror(KASURI_ERROR_INVALID), 0},
    {"c_join_itself", c_join_itself, {}, kasuri_strerror(KASURI_ERROR_DEADLOCK), 0},
    {"c_unlock_unlocked", c_unlock_unlocked, {}, kasuri_strerror(KASURI_ERROR_PERMISSION), 0},
    {"c_wrong_key", c_wrong_key, {}, kasuri_strerror(KASURI_ERROR_INVALID), 0},
    {"no_room_for_stacks", wait_without_stack, {{{"KASURI_NUM_WORKERS", "1"}}, rlim_t{1} << 30},
     "each): ulimit -v allows 1048576 KiB of address space; accepted:", 2, 0, true, 2},
    {"no_stack_to_wait_with", no_stack_to_wait_with,
     {{{"KASURI_NUM_WORKERS", "1"}, {"KASURI_MONITOR", "0"}}, rlim_t{1} << 30},
     "each), so what waits throws std::bad_alloc: ulimit -v allows 1048576 KiB", 0, 0, true},
    {"group_closure_throws_at_end", group_closure_throws_at_end, {},
     "kasuri: warning: the destructor of a closure threw when its task had ended", 3},
    {"future_closure_throws_at_end", future_closure_throws_at_end, {},
     "kasuri: warning: the destructor of a closure threw when its task had ended", 3},
    {"exit_in_group", exit_in_group, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_group_on_stack_of_its_own", exit_in_group_on_stack_of_its_own, {},
     "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_future", exit_in_future, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_invoke", exit_in_invoke, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"exit_in_c_thread", exit_in_c_thread, {}, "kasuri: a task has ended its thread", 2, 0, true},
    {"cancel_worker", cancel_worker, {}, "kasuri: a task has ended its thread", 2},
    {"exit_inside_run", exit_inside_run, {}, "left", 0},
    {"one_slot_for_two", one_slot_for_two,
     {{{"KASURI_NUM_WORKERS", "1"}, {"KASURI_MAX_SPARES", "0"}}}, "one after the other", 0},
    {"second_frame_for_one_worker", second_frame, {}, "kasuri: internal error: a second frame for worker", 2},
    // Without the monitor, which would start a thread for the one that takes its time, and say that there is none.
    {"no_mappings_left", no_mappings_left, {{{"KASURI_NUM_WORKERS", "1"}, {"KASURI_MONITOR", "0"}}},
     "mappings and vm.max_map_count allows ", 0, 0, true},
    {"guards_leave_mappings", guards_leave_mappings, with("KASURI_NUM_WORKERS", "2"),
     "kasuri: warning: no guard page for a stack: on this kernel each costs two mappings", 0, 0, true},
    {"no_room_for_deques", use, {{{"KASURI_NUM_WORKERS", "1000"}}, rlim_t{1} << 30},
     "kasuri: no address space for the deque of worker", 2, 0, true},
    {"stack_overflow", overflow, with("KASURI_STACK_SIZE", "64K"),
     "kasuri: stack overflow: a task used up its stack of 64 KiB; set KASURI_STACK_SIZE", 0, SIGSEGV,
     true},
    {"membarrier_forbidden", membarrier_forbidden, {}, "right by another fence", 0, 0, true},
    {"membarrier_unknown", membarrier_unknown, {}, "right by another fence", 0, 0, true},
    {"membarrier_taken_away", membarrier_taken_away, {}, "right by another fence", 0, 0, true},
    {"membarrier_and_page_forbidden", membarrier_and_page_forbidden, {}, "right by another fence",
     0, 0, true},
    {"no_fence_at_all", no_fence_at_all, {},
     "kasuri: the kernel offers neither membarrier(PRIVATE_EXPEDITED) nor sched_setaffinity", 2, 0,
     true},
    {"raise_in_task", raise_in_task, {}, "raised", 0, SIGTERM},
    {"raise_handled_in_task", raise_handled_in_task, {}, "handled", 0},
    {"write_to_nobody", write_to_nobody, {}, "written", 0, SIGPIPE},
    {"profile_worker", profile_worker, {}, "sampled", 0},
    {"wait_for_signal", wait_for_signal, {}, "waited for", 0},
    {"stack_overflow_of_main", overflow_main, with("KASURI_NUM_WORKERS", "1"),
     "kasuri: stack overflow: the main thread used up its stack of", 0, SIGSEGV, true},
    {"stack_overflow_of_guest", overflow_guest, with("KASURI_NUM_WORKERS", "1"),
     "used up its stack; enlarge it by pthread_attr_setstacksize or `ulimit -s`", 0, SIGSEGV, true},
    {"null_pointer", null_pointer, {}, "no overflow", 0, SIGSEGV, true},
    {"no_threads", without_threads, with("KASURI_NUM_WORKERS", "4"),
     "the system gives no thread for worker", 0, 0, true},
};

class misuses : public testing::TestWithParam<misuse> {};

TEST_P(misuses, say_one_clear_line_and_end_as_promised) {
  const misuse& m = GetParam();
  if (m.plain && !full_size) GTEST_SKIP() << "needs a plain build";
  const child_result r = run_child(m.name, m.setup);
  EXPECT_NE(r.err.find(m.said), std::string::npos) << r.err;
  EXPECT_EQ(r.lines(), m.lines) << r.err;
  EXPECT_EQ(r.signal(), m.signal) << r.err;
  if (m.signal == 0) {
    EXPECT_EQ(r.exit_code(), m.exit_code) << r.err;
  }
}

INSTANTIATE_TEST_SUITE_P(table, misuses, testing::ValuesIn(table),
                         [](const auto& row) { return std::string(row.param.name); });

int run_case(const char* name) {
  for (const misuse& m : table)
    if (std::strcmp(m.name, name) == 0) return m.child();
  return 126;
}

}  // namespace
}  // namespace kasuri::test

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--child") == 0) return kasuri::test::run_case(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
