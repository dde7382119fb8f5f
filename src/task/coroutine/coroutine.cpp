// SPDX-License-Identifier: Apache-2.0
// Waits of coroutines for a turn and a time.

#include <coroutine>
#include <mutex>
#include <new>
#include <stdexcept>

#include "kasuri/detail/coroutine/promise.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
#include "sched/pool/ready.hpp"
#include "sched/time/timers.hpp"
#include "task/coroutine/list_record.hpp"
#include "task/coroutine/record.hpp"

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
  if (!task::coroutine_may_wait_until(by)) return go_on_behind_others(w, c);
  if (by == sched::never) return;  // it does not go on
  auto* const s = new (w.memory()) sleeping_coroutine(by, c);
  const std::lock_guard hold(sched::timers::get());
  sched::timers::get().add(*s);
}

}  // namespace detail
}  // namespace kasuri
