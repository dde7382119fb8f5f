// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include <kasuri/arena.hpp>
#include <kasuri/kasuri.h>
#include <kasuri/kasuri.hpp>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "kasuri/detail/atomics.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "platform/memory/memory.hpp"
#include "sched/worker/worker.hpp"
#include "support/child.hpp"
#include "support/filter.hpp"
#include "support/last_stack.hpp"
#include "support/mappings.hpp"
#include "support/scale.hpp"

// What the children of misuse_test.cpp do; the result is the exit status.

namespace kasuri::test {

inline int say(const char* line) {
  std::fprintf(stderr, "%s\n", line);
  return 0;
}

inline int use() {
  const auto [a, b] = parallel_invoke([] { return 20; }, [] { return 22; });
  return a + b == 42 ? 0 : 1;
}

template <class E, class F>
inline int throws(F f) {
  try {
    f();
  } catch (const E& e) {
    return say(e.what());
  }
  return 1;
}

inline int initialize_twice() {
  initialize({.workers = 1});
  return throws<std::logic_error>([] { initialize({.workers = 1}); });
}
inline int too_many_workers() {
  return throws<std::invalid_argument>([] { initialize({.workers = 5000}); });
}
inline int tiny_stack() {
  return throws<std::invalid_argument>([] { initialize({.workers = 1, .stack_size = 100}); });
}
/// As many workers as the table accepts, and a guest.
inline int most_workers() {
  if (num_workers() != 2048 || use() != 0) return 1;
  return say("2048 workers");
}
inline int second_stack_size() {
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
inline int finalize_inside() {
  return throws<std::logic_error>([] { run([] { finalize(); }); });
}
inline int overfull_semaphore() {
  semaphore s(semaphore::most);
  return throws<std::overflow_error>([&s] { s.release(); });
}
inline int barrier_of_none() {
  return throws<std::invalid_argument>([] { barrier b(0); });
}
inline int latch_below_zero() {
  latch l(1);
  return throws<std::invalid_argument>([&l] { l.count_down(2); });
}
inline int condition_without_mutex() {
  mutex m;
  condition_variable c;
  std::unique_lock lock(m, std::defer_lock);
  return throws<std::logic_error>([&] { c.wait(lock); });
}
inline int group_waited_elsewhere() {
  semaphore never(0);
  std::unique_ptr<task_group> group;
  run([&] {
    group = std::make_unique<task_group>();
    group->run([&never] { never.acquire(); });
  });
  group->wait();
  return 1;
}
inline int arena_of_nobody() {
  return throws<std::invalid_argument>([] { arena a(0); });
}
inline int arena_ended_by_its_task() {
  auto* const a = new arena(1);
  a->execute([a] { delete a; });
  return 1;
}
inline int arena_ended_while_inside() {
  semaphore never(0);
  std::atomic<bool> inside{false};
  auto* const a = new arena(1);
  const auto waits = async([&] {
    a->execute([&] {
      inside = true;
      never.acquire();
    });
  });
  while (!inside) std::this_thread::yield();
  delete a;
  return 1;
}
inline int exit_in_arena() {
  arena a(1);
  a.enqueue([] { ::pthread_exit(nullptr); });
  return 1;
}
inline int future_of_nothing() {
  future<int> f = async([] { return 1; });
  if (f.get() != 1) return 1;
  return throws<std::logic_error>([&f] { f.get(); });
}
inline int loop_from_below_zero() {
  return throws<std::out_of_range>([] { parallel_for(-1, std::size_t{4}, [](std::size_t) {}); });
}
/// Rounds in which the light side stores x and reads y, the heavy side stores y and reads x; the
/// result is in how many neither saw the other's store, which the fences forbid.
inline int both_blind(int rounds) {
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
inline int use_and_fence() {
  if (both_blind(300) != 0 || use() != 0) return 1;
  std::atomic<int> sum{0};
  parallel_for(0, 2000, [&sum](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
  return sum.load() == 1999000 ? say("right by another fence") : 1;
}
inline int membarrier_forbidden() {
  return refuse_call(SYS_membarrier, EPERM) ? use_and_fence() : 3;
}
inline int membarrier_unknown() {
  return refuse_call(SYS_membarrier, ENOSYS) ? use_and_fence() : 3;
}
inline int membarrier_taken_away() {
  if (use() != 0) return 1;
  return refuse_call(SYS_membarrier, EPERM) ? use_and_fence() : 3;
}
/// Nor may a page alone be given back: processors are visited.
inline int membarrier_and_page_forbidden() {
  const auto page = static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE));
  return refuse_call(SYS_membarrier, EPERM) && refuse_call(SYS_munmap, EPERM, page)
             ? use_and_fence()
             : 3;
}
inline int no_fence_at_all() {
  const auto page = static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE));
  if (!refuse_call(SYS_membarrier, EPERM) || !refuse_call(SYS_munmap, EPERM, page) ||
      !refuse_call(SYS_sched_setaffinity, EPERM))
    return 3;
  return use();
}
/// As deep as it is told; the stack of an OS thread ends before.
inline long nest(long depth) {  // NOLINT(misc-no-recursion)
  if (depth == 0) return 0;
  const auto [a, b] = parallel_invoke([depth] { return nest(depth - 1); }, [] { return 1L; });
  return a + b;
}
inline int overflow_main() { return nest(100'000'000) == 0 ? 1 : 2; }
inline int overflow_guest() {
  std::thread guest([] { static_cast<void>(nest(100'000'000)); });
  guest.join();
  return 1;
}
/// A null pointer is no overflow: the system's silent end.
inline int null_pointer() {
  use();
  say("no overflow");
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
  return 1;
}

/// Calls f in a task on a worker, while the calling thread stays outside of the pool; f's result.
template <class F>
inline int on_worker(F f) {
  std::atomic<int> result{-1};
  const future<void> task = async([&] {
    // release: pairs with the acquire below
    result.store(f(), std::memory_order_release);
  });
  while (result.load(std::memory_order_acquire) < 0) usleep(100);
  task.wait();
  return result.load(std::memory_order_relaxed);
}
inline int raise_in_task() {
  say("raised");
  return on_worker([] { return raise(SIGTERM) + 1; });
}
constinit std::atomic<int> handled_by{0};
constinit std::atomic<int> handled_in_pool{0};
inline void note_handler(int) {
  handled_by.store(gettid(), std::memory_order_relaxed);
  if (gettid() != getpid()) handled_in_pool.fetch_add(1, std::memory_order_relaxed);
}
inline int raise_handled_in_task() {
  signal(SIGTERM, note_handler);
  return on_worker([] {
    return raise(SIGTERM) == 0 && handled_by.load(std::memory_order_relaxed) == gettid()
               ? say("handled")
               : 1;
  });
}
inline int write_to_nobody() {
  int ends[2];
  if (pipe(ends) != 0 || close(ends[0]) != 0) return 3;
  say("written");
  return on_worker([&] { return write(ends[1], "x", 1) < 0 ? 1 : 2; });
}
/// Ends when the profiler's signal has interrupted a worker three times.
inline int profile_worker() {
  signal(SIGPROF, note_handler);
  const itimerval often{{0, 1000}, {0, 1000}};
  if (setitimer(ITIMER_PROF, &often, nullptr) != 0) return 3;
  return on_worker([] {
    while (handled_in_pool.load(std::memory_order_relaxed) < 3) detail::real_atomics::pause();
    return say("sampled");
  });
}
/// What the program blocks before it starts the pool waits for the program.
inline int wait_for_signal() {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &one, nullptr);
  if (on_worker([] { return kill(getpid(), SIGUSR1); }) != 0) return 1;
  int got = 0;
  return sigwait(&one, &got) == 0 && got == SIGUSR1 ? say("waited for") : 1;
}
inline int unlock_unlocked() {
  mutex m;
  m.unlock();
  return 0;
}

inline int c_says(int error, int promised) {
  if (error != promised) return 1;
  return say(kasuri_strerror(error));
}
inline int c_create_null() {
  return c_says(kasuri_thread_create(nullptr, nullptr, nullptr, KASURI_PARENT_FIRST),
                KASURI_ERROR_INVALID);
}
inline int c_join_itself() {
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
inline int c_unlock_unlocked() {
  kasuri_mutex_t m;
  kasuri_mutex_init(&m);
  return c_says(kasuri_mutex_unlock(&m), KASURI_ERROR_PERMISSION);
}
inline int c_wrong_key() { return c_says(kasuri_key_set(12345, nullptr), KASURI_ERROR_INVALID); }

/// A task is queued above those of the group, so that the group must leave the stack to wait.
template <class F>
inline void with_a_group_that_must_wait(F f) {
  task_group g;
  g.run([] {});
  future<void> above = async([] {});
  f(g);
  above.get();
}

/// A destructor cannot throw.
inline int wait_without_stack() {
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
inline int no_stack_to_wait_with() {
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
inline void terminated() { ::_exit(std::current_exception() != nullptr ? 3 : 4); }
inline int group_closure_throws_at_end() {
  std::set_terminate(terminated);
  task_group g;
  g.run(throws_at_end());
  g.wait();
  return 1;
}
inline int future_closure_throws_at_end() {
  std::set_terminate(terminated);
  async(throws_at_end()).get();
  return 1;
}

inline void exit_thread() { pthread_exit(nullptr); }
inline int exit_in_group() {
  task_group g;
  g.run(exit_thread);
  g.wait();
  return 1;
}
inline int exit_in_group_on_stack_of_its_own() {
  run([] {
    task_group g;
    g.run(exit_thread, spawn::child_first);
    g.wait();
  });
  return 1;
}
inline int exit_in_future() {
  async(exit_thread).get();
  return 1;
}
inline int exit_in_invoke() {
  on_worker([] {
    parallel_invoke(exit_thread, [] {});
    return 0;
  });
  return 1;
}
inline int exit_in_c_thread() {
  kasuri_thread_t t;
  const auto main = [](void*) -> void* { pthread_exit(nullptr); };
  kasuri_thread_create(&t, main, nullptr, KASURI_PARENT_FIRST);
  kasuri_thread_join(t, nullptr);
  return 1;
}
/// Cancellation from outside, with no code between that could be unwound.
inline int cancel_worker() {
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
inline int exit_inside_run() {
  std::thread guest([] { run(exit_thread); });
  guest.join();
  return use() == 0 ? say("left") : 1;
}

/// Two guests run at one time, as the first is blocked; the second waits for its slot.
inline int one_slot_for_two() {
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
inline int guards_leave_mappings() {
  constexpr std::uint32_t guard_install = 102;
  if (!refuse_call(SYS_madvise, EINVAL, guard_install, 2)) return 3;
  return run([] {
    use_up_mappings(4000);
    const bool all = block_at_once(3000) == 3000;
    const bool room = platform::mappings() + 1000 < platform::most_mappings();
    return (all ? 0 : 4) + (room ? 0 : 8);
  });
}

inline int no_mappings_left() {
  run([] { return block_at_once(2); });  // memory for tasks is there, and what a guest needs
  async([] {}).get();                    // ... and the thread of the one worker, which runs this
  use_up_mappings(0);
  return on_the_last_stack([] {}) ? 0 : 1;
}

/// Nothing in Kasuri does this: there is one thread at home on a worker. If it happened, a frame
/// must not be lost.
inline int second_frame() {
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

inline int overflow() {
  run([] {
    task_group g;
    g.run([] { dig(10'000'000); }, spawn::child_first);
    g.wait();
  });
  return 0;
}

/// Leaves the process less address space than the stack of one OS thread.
inline void forbid_threads() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  const auto bytes = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + (1 << 20));
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

inline int without_threads() {
  return run([] {
    forbid_threads();  // the pool and the caller's place in it are there, but no thread yet
    return use();
  });
}

}  // namespace kasuri::test
