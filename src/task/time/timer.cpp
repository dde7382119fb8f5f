// SPDX-License-Identifier: Apache-2.0
// Functions that are called at a time.
//
// The record has two owners, the handle and the schedule; the last one frees it. The schedule is
// the timer while it is set, and the frame from when the timer has sent it until its call has
// ended. Then either the timer is set anew, or the call was the last one and the schedule lets the
// record go.
//
//   set --timer--> sent --worker--> called --+--> set      (run_every)
//    |              |                        |
//    |cancel        |cancel: it finds it     +--> over     (run_after; cancelled)
//    +--> over      +--> over
//
// The lock of the list guards the flags; that of the timers, which is taken under it, says whether
// the timer is set. Who sets `over` gives the schedule's ownership back.

#include "kasuri/time.hpp"

#include <atomic>
#include <memory>
#include <new>

#include "kasuri/detail/scope.hpp"
#include "platform/base/expect.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"
#include "sched/time/timers.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct timer_record : frame, scope, sched::timer {
  [[gnu::visibility("hidden")]] timer_record(std::int64_t at, std::int64_t every,
                                             timed_function* f) noexcept;
  ~timer_record() { function->destroy(function); }

  void drop() noexcept {
    // acq_rel: pairs with itself: the last of the two sees what the other did
    if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  bool is_of_parent() const noexcept { return process != sched::timers::get().life(); }

  wait_list waiters;  // for the end of a call
  const std::int64_t period;
  timed_function* const function;
  const std::uint32_t process;  // in the child of a fork nobody looks at it
  bool cancelled = false;
  bool called = false;  // a call is under way
  bool over = false;    // no call comes any more
  std::atomic<std::uint32_t> owners{2};
};

namespace {

/// The next of its times that has not passed; those between are left out.
sched::steady_ns next_time(const timer_record& t) noexcept {
  const sched::steady_ns now = sched::steady_now();
  const sched::steady_ns behind = now > t.when ? (now - t.when) / t.period : 0;
  const sched::steady_ns last = t.when + behind * t.period;  // at most now
  return t.period >= sched::never - last ? sched::never : last + t.period;
}

/// The call has ended, or was cancelled before it began. Returns with the lock let go.
void end_call(timer_record& t) noexcept {
  t.called = false;
  t.over = t.period == 0 || t.cancelled;
  const bool is_over = t.over;
  if (!is_over) {
    t.when = next_time(t);
    const std::lock_guard hold(sched::timers::get());
    sched::timers::get().add(t);
  }
  suspended* const waiting = task::take_all(t.waiters);
  // Behind this the record may be another worker's, or gone.
  task::release(t.waiters);
  sched::make_all_ready(waiting);
  if (is_over) t.drop();
}

suspended* run(frame* f) noexcept {
  auto& t = *static_cast<timer_record*>(f);
  task::acquire(t.waiters);
  if (!t.cancelled) {
    t.called = true;
    task::release(t.waiters);
    scope* const around = current_scope();
    current_scope(&t);
    t.function->call(*t.function);
    current_scope(around);
    task::acquire(t.waiters);
  }
  end_call(t);
  return nullptr;
}

constexpr frame_type kind{[](frame* f) { return run(f); }, false, "timer"};

/// Whether the caller stands in a call of its function.
bool is_inside(const timer_record& t) noexcept {
  for (const scope* s = current_scope(); s != nullptr; s = s->parent)
    if (s == &t) return true;
  return false;
}

}  // namespace

timer_record::timer_record(std::int64_t at, std::int64_t every, timed_function* f) noexcept
    : timer(
          at, [](timer& t) noexcept -> frame* { return static_cast<timer_record*>(&t); },
          order::before_others),
      period(every),
      function(f),
      process(sched::timers::get().life()) {
  type = &kind;
  in = nullptr;
}

timer_record* start_timer(std::int64_t at, std::int64_t period, timed_function* f) {
  std::unique_ptr<timed_function, void (*)(timed_function*) noexcept> owner(f, f->destroy);
  sched::pool::get();
  if (!sched::timers::get().prepare()) throw std::bad_alloc();
  auto* const t = new timer_record(at, period, f);
  static_cast<void>(owner.release());
  const std::lock_guard hold(sched::timers::get());
  sched::timers::get().add(*t);
  return t;
}

bool cancel_timer(timer_record& t) noexcept {
  if (t.is_of_parent()) return false;
  task::acquire(t.waiters);
  if (t.over || t.cancelled) {
    task::release(t.waiters);
    return false;
  }
  t.cancelled = true;
  t.canceled.store(true, std::memory_order_relaxed);
  bool was_set;
  {
    const std::lock_guard hold(sched::timers::get());
    was_set = sched::timers::get().remove(t);
  }
  t.over = was_set;
  const bool prevented = !t.called || t.period != 0;
  task::release(t.waiters);
  if (was_set) t.drop();
  return prevented;
}

void end_timer(timer_record* t) noexcept {
  // The parent may have been in the middle of it: the child leaves it alone, memory included.
  if (t->is_of_parent()) return;
  cancel_timer(*t);
  if (!is_inside(*t)) {
    task::acquire(t->waiters);
    if (t->called) {
      try {
        task::suspend_on(t->waiters, record::wait_reason::timer);
      } catch (const std::bad_alloc&) {
        sched::no_memory_for_stack();
      }
    } else {
      task::release(t->waiters);
    }
  }
  t->drop();
}

void detach_timer(timer_record* t) noexcept {
  if (!t->is_of_parent()) t->drop();
}

}  // namespace detail
}  // namespace kasuri
