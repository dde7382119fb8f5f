// SPDX-License-Identifier: Apache-2.0
#include "sched/run/blocking_thread.hpp"

#include <pthread.h>

#include <cerrno>
#include <mutex>
#include <new>

#include "context/overflow.hpp"
#include "platform/base/bounds.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/thread/park.hpp"
#include "record/recorder.hpp"
#include "sched/pool/ready.hpp"
#include "sched/run/loop.hpp"

extern "C" kasuri::sched::exception_state* __cxa_get_globals() noexcept;

namespace kasuri::sched {

constinit blocking_threads blocking_threads::the_only_ones;

namespace {

/// It runs the tasks' code on the tasks' stacks; its own has the scheduler's.
constexpr std::size_t stack_bytes = std::size_t{256} << 10;

/// On the thread's own stack: the task may go on.
void comes_back(void* ready, context::saved from) noexcept {
  auto* const s = static_cast<suspended*>(ready);
  s->context = from;
  KASURI_EXPECT(cheap, s->stack->waiting == nullptr, "on the stack of %p stands %p",
                static_cast<void*>(s), s->stack->waiting);
  s->stack->waiting = s;
  make_ready(s);
}

}  // namespace

// ---- a task goes over and back ------------------------------------------------------------------

/// The task's part of the OS thread's state. Not inlined: the address of errno is that of the OS
/// thread that asks for it, and the caller has changed it.
[[gnu::noinline]] void blocking_thread::wear_task() noexcept {
  *__cxa_get_globals() = kept_->exceptions;
  errno = kept_->error;
}

[[gnu::noinline]] void blocking_thread::take_off_task(state_of_task& kept) noexcept {
  kept.exceptions = *__cxa_get_globals();
  *__cxa_get_globals() = {};
  kept.error = errno;
}

/// On another stack of the worker that the task has left.
bool blocking_thread::call(void* self, suspended* s) noexcept {
  auto& t = *static_cast<blocking_thread*>(self);
  KASURI_EXPECT(cheap, t.state_.load(std::memory_order_relaxed) == at_rest && s->stack == t.stack_,
                "state %u, thread %p stands on %p and not on %p",
                t.state_.load(std::memory_order_relaxed), static_cast<void*>(s),
                static_cast<void*>(s->stack), static_cast<void*>(t.stack_));
  t.visitor_ = s;
  // release: pairs with the acquire in serve
  t.state_.store(called, std::memory_order_release);
  platform::unpark(t.state_, 1);
  return true;
}

void blocking_thread::go_on_here(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.face.stack->home == nullptr && w.wears == nullptr,
                "the task of worker %d, called by worker %d, is bound to worker %d or wears %p",
                w.index, index_of_caller(),
                w.face.stack->home == nullptr ? -1 : w.face.stack->home->index,
                static_cast<void*>(w.wears));
  w.tick();
  w.queue.publish_structured();
  settle_tally(w);
  suspended s;
  prepare_suspension(s, w, record::wait_reason::blocking);
  s.on = nullptr;
  s.held_by = nullptr;
  ++s.stack->suspensions;
  stack_ = s.stack;
  place_ = s.place;
  arena_ = s.arena;
  task_ = reinterpret_cast<std::uintptr_t>(&s);
  kept_.emplace(w);
  w.stats.suspends.add();
  w.spends_time_on(record::time_state::overhead);
  record::emit_suspend(w.log, task_, record::wait_reason::blocking);
  leave_worker(w, s, call, this);
  stack_->waiting = nullptr;
  wear_task();
}

KASURI_UNINSTRUMENTED void blocking_thread::leave_task(void (*after)(void*, context::saved),
                                                       void* arg) noexcept {
  context::stack* const from = stack_;
  from->fiber.leaving(native_.fiber, false);
  context::kasuri_context_switch(home_, after, arg);
  from->fiber.arrived();
}

void blocking_thread::go_back() noexcept {
  KASURI_EXPECT(cheap, current() == nullptr && kept_.has_value() && stack_ != nullptr,
                "worker %d goes back from a blocking call, its stack was %p", index_of_caller(),
                static_cast<void*>(stack_));
  // Copies: once the task is ready this thread may serve another.
  state_of_task kept = *kept_;
  context::stack* const stack = stack_;
  const std::uint64_t task = task_;
  take_off_task(kept);
  suspended s;
  s.type = &ready_thread;
  s.in = nullptr;
  s.stack = stack;
  s.home = nullptr;
  s.place = place_;
  s.arena = arena_;
  s.reason = record::wait_reason::blocking;
  s.on = nullptr;
  s.held_by = nullptr;
  s.foreign = false;
  ++stack->suspensions;
  leave_task(comes_back, &s);
  stack->waiting = nullptr;
  worker& w = *opaque(current());
  kept.put_back(w);
  w.stats.resumes.add();
  record::emit_resume(w.log, task, record::wait_reason::blocking);
  w.spends_time_on(record::time_state::work);
}

// ---- the thread ---------------------------------------------------------------------------------

/// On the task's stack: the thread's own is left.
void blocking_thread::note_home(void* self, context::saved from) noexcept {
  static_cast<blocking_thread*>(self)->home_ = from;
}

KASURI_UNINSTRUMENTED void blocking_thread::visit() noexcept {
  native_.fiber.leaving(stack_->fiber, false);
  context::kasuri_context_switch(visitor_->context, note_home, this);
  native_.fiber.arrived();
}

void blocking_thread::serve() noexcept {
  native_.fiber.adopt_native();
  do {
    // acquire: pairs with the release in call, and with the one in stop
    while (state_.load(std::memory_order_acquire) == at_rest) platform::park(state_, at_rest);
    if (state_.load(std::memory_order_relaxed) == ends) return;
    KASURI_EXPECT(cheap, visitor_ != nullptr && visitor_->context != nullptr,
                  "called (%u) to go on with %p", state_.load(std::memory_order_relaxed),
                  static_cast<void*>(visitor_));
    state_.store(at_rest, std::memory_order_relaxed);
    visit();
  } while (blocking_threads::get().rest(*this));
}

void* blocking_thread::thread_main(void* self) noexcept {
  auto* const t = static_cast<blocking_thread*>(self);
  auto& all = blocking_threads::get();
  context::prepare_thread_for_overflows();
  platform::take_signals();  // behind the stack for handlers
  // Started by a worker that is bound to its one CPU, it would be bound there too.
  const int id = platform::thread_id();
  platform::cpu_mask mine;
  const bool is_bound = platform::read_mask_of(id, mine) && mine.count() == 1;
  // Refused, it stays where it is.
  if (is_bound && all.usual_.count() > 1) static_cast<void>(platform::set_mask_of(id, all.usual_));
  t->serve();
  delete t;
  all.ended();
  return nullptr;
}

// ---- all of them --------------------------------------------------------------------------------

blocking_thread* blocking_threads::take() noexcept {
  {
    const std::lock_guard hold(lock_);
    if (blocking_thread* const t = first_) {
      first_ = t->next_;
      const int before = thread_counts.for_calls_at_rest.fetch_sub(1, std::memory_order_relaxed);
      KASURI_EXPECT(cheap, before > 0, "thread %p is taken from %d at rest", static_cast<void*>(t),
                    before);
      return t;
    }
  }
  const int most = platform::current_settings().max_blocking;
  if (most == 0) return nullptr;
  if (thread_counts.for_calls.fetch_add(1, std::memory_order_relaxed) < most) {
    if (blocking_thread* const t = start()) return t;
  }
  say_limit(thread_counts.for_calls.fetch_sub(1, std::memory_order_relaxed) - 1);
  return nullptr;
}

/// Once per process: what follows is slower, or waits.
void blocking_threads::say_limit(int others) noexcept {
  constinit static std::atomic<bool> said{false};
  if (said.exchange(true, std::memory_order_relaxed)) return;
  const platform::settings& s = platform::current_settings();
  if (others >= s.max_blocking)
    platform::warn(
        "%d tasks are in blocking calls (KASURI_MAX_BLOCKING=%d; accepted: 0 to %d): further ones "
        "keep their workers, for %d of which spare threads stand in (KASURI_MAX_SPARES)",
        others, s.max_blocking, platform::most_blocking, s.max_spares);
  else
    platform::warn(
        "%d tasks are in blocking calls and the system gives no more threads: further ones keep "
        "their workers, for %d of which spare threads stand in (KASURI_MAX_SPARES)",
        others, s.max_spares);
}

blocking_thread* blocking_threads::start() noexcept {
  auto* const t = new (std::nothrow) blocking_thread;
  pthread_t thread;
  if (t == nullptr) return nullptr;
  if (!platform::start_os_thread(thread, blocking_thread::thread_main, t, "kasuri-blocking",
                                 stack_bytes)) {
    delete t;
    return nullptr;
  }
  pthread_detach(thread);
  return t;
}

/// Under the lock, in the trees that run invariants: so many are at rest as are counted.
inline void blocking_threads::check() const noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  int n = 0;
  for (const blocking_thread* t = first_; t != nullptr; t = t->next_) ++n;
  const int counted = thread_counts.for_calls_at_rest.load(std::memory_order_relaxed);
  KASURI_EXPECT(all, n == counted && n <= most_at_rest, "%d threads are at rest, %d are counted", n,
                counted);
}

/// False: it is to end.
bool blocking_threads::rest(blocking_thread& t) noexcept {
  const std::lock_guard hold(lock_);
  if (stopping_.load(std::memory_order_relaxed) ||
      thread_counts.for_calls_at_rest.load(std::memory_order_relaxed) == most_at_rest)
    return false;
  KASURI_EXPECT(cheap, &t != first_, "thread %p rests twice, %d are at rest",
                static_cast<void*>(&t),
                thread_counts.for_calls_at_rest.load(std::memory_order_relaxed));
  t.next_ = first_;
  first_ = &t;
  thread_counts.for_calls_at_rest.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void blocking_threads::ended() noexcept {
  // release: pairs with the acquire in stop
  const int before = thread_counts.for_calls.fetch_sub(1, std::memory_order_release);
  KASURI_EXPECT(cheap, before > 0, "one of %d threads for calls ends", before);
  ends_.fetch_add(1, std::memory_order_relaxed);
  platform::unpark(ends_, 1);
}

void blocking_threads::note_cpus() noexcept {
  if (!platform::read_mask_of(0, usual_)) usual_ = {};
}

void blocking_threads::stop() noexcept {
  stopping_.store(true, std::memory_order_relaxed);
  blocking_thread* all;
  {
    const std::lock_guard hold(lock_);
    all = first_;
    check();
    first_ = nullptr;
    thread_counts.for_calls_at_rest.store(0, std::memory_order_relaxed);
  }
  while (all != nullptr) {
    blocking_thread* const t = all;
    all = t->next_;
    std::atomic<std::uint32_t>& state = t->state_;
    // release: pairs with the acquire in serve. Behind it the thread may be gone; a wake of nobody
    // does no harm.
    state.store(blocking_thread::ends, std::memory_order_release);
    platform::unpark(state, 1);
  }
  for (;;) {
    const std::uint32_t seen = ends_.load(std::memory_order_relaxed);
    // acquire: pairs with the release in ended
    if (thread_counts.for_calls.load(std::memory_order_acquire) == 0) return;
    platform::park(ends_, seen);
  }
}

void blocking_threads::forget_threads() noexcept {
  first_ = nullptr;
  thread_counts.for_calls_at_rest.store(0, std::memory_order_relaxed);
  thread_counts.for_calls.store(0, std::memory_order_relaxed);
  stopping_.store(false, std::memory_order_relaxed);
}

}  // namespace kasuri::sched
