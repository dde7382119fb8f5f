// SPDX-License-Identifier: Apache-2.0
// The time at which a call is to stop. The timers' own thread cancels the scope, under the lock of
// the timers: a call whose workers are all busy with it stops in time too, and who has removed the
// timer knows that nobody touches the scope.

#include <mutex>
#include <new>

#include "kasuri/detail/stop/link.hpp"
#include "sched/pool/pool.hpp"
#include "sched/time/timers.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct stop_timer : sched::timer {
  stop_timer(scope& s, std::int64_t at) noexcept : timer(at, cancel), of(s) {}

  static frame* cancel(timer& t) noexcept {
    // relaxed: a hint, by which nothing is published
    static_cast<stop_timer&>(t).of.canceled.store(true, std::memory_order_relaxed);
    return nullptr;
  }

  scope& of;
};

stop_timer* start_stop_timer(scope& s, std::int64_t at) {
  if (at <= sched::steady_now()) {
    s.canceled.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  sched::pool::get();
  if (!sched::timers::get().prepare()) throw std::bad_alloc();
  auto* const t = new stop_timer(s, at);
  const std::lock_guard hold(sched::timers::get());
  sched::timers::get().add(*t);
  return t;
}

void end_stop_timer(stop_timer* t) noexcept {
  {
    const std::lock_guard hold(sched::timers::get());
    sched::timers::get().remove(*t);
  }
  delete t;
}

}  // namespace detail
}  // namespace kasuri
