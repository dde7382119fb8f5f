// SPDX-License-Identifier: Apache-2.0
// Waits of coroutines for a turn, a time, a semaphore and a latch. Those for a mutex and a channel
// are with these.

#include <coroutine>
#include <mutex>
#include <new>
#include <stdexcept>

#include "kasuri/detail/coroutine/promise.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
#include "kasuri/sync.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/time/timers.hpp"
#include "task/coroutine/record.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

using record::wait_reason;

void throw_no_coroutine() {
  throw std::logic_error("kasuri::coro: no coroutine behind it (moved from, or awaited already)");
}

void go_on_behind_others(coroutine_waiter& w, std::coroutine_handle<> c) noexcept {
  sched::make_ready(&task::make_record(w, c, wait_reason::yield));
}

namespace {

/// What a timer sends when its time has come.
struct sleeping_coroutine : sched::timer, resumption {
  sleeping_coroutine(std::int64_t by, std::coroutine_handle<> c) noexcept
      : timer(by,
              [](timer& t) noexcept -> frame* { return static_cast<sleeping_coroutine*>(&t); }) {
    is_of(c);
  }
};

}  // namespace

void go_on_at(coroutine_waiter& w, std::coroutine_handle<> c, std::int64_t by) {
  static_assert(sizeof(sleeping_coroutine) <= coroutine_waiter::bytes &&
                alignof(sleeping_coroutine) <= alignof(std::uint64_t));
  if (by <= sched::steady_now()) return go_on_behind_others(w, c);
  sched::pool::get();
  if (!sched::timers::get().prepare()) throw std::bad_alloc();
  auto* const s = new (w.memory()) sleeping_coroutine(by, c);
  const std::lock_guard hold(sched::timers::get());
  sched::timers::get().add(*s);
}

namespace {

/// The coroutine stands in the list, whose lock is let go.
bool wait_in(wait_list& l, coroutine_waiter& w, std::coroutine_handle<> c,
             wait_reason why) noexcept {
  auto& r = task::make_record(w, c, why);
  task::note_list(l, &r);
  task::queue_and_let_go(l, static_cast<suspended*>(&r));
  return true;
}

}  // namespace

bool coroutine_access::acquire(semaphore& s, coroutine_waiter& w,
                               std::coroutine_handle<> c) noexcept {
  task::acquire(s.waiters_);
  if (s.waiters_.count == 0) return wait_in(s.waiters_, w, c, wait_reason::semaphore);
  --s.waiters_.count;
  task::release(s.waiters_);
  return false;
}

bool coroutine_access::wait(latch& l, coroutine_waiter& w, std::coroutine_handle<> c) noexcept {
  task::acquire(l.waiters_);
  if (l.waiters_.count != 0) return wait_in(l.waiters_, w, c, wait_reason::latch);
  task::release(l.waiters_);
  return false;
}

}  // namespace detail
}  // namespace kasuri
