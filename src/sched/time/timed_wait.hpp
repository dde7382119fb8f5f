// SPDX-License-Identifier: Apache-2.0
#pragma once

// A wait that ends by a wake or by its time, whichever comes first. run/suspend.hpp suspends with
// it. It may have an early end too (kasuri/detail/stop/early_end.hpp), which competes as the time
// does.

#include <mutex>

#include "kasuri/detail/stop/early_end.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/time/timers.hpp"

namespace kasuri::sched {

/// Lies on the stack of the thread that waits. What the thread waits for derives from it, and says
/// with `expire` how a time that has come competes with a waker: it returns end_by_time() if the
/// time was first, else null.
struct timed_wait : timer {
  using timer::timer;

  /// Behind the wait, by the thread, if its time was first, while its record is still there: takes
  /// the record away from where wakers look. Null where none do.
  void (*leave)(timed_wait& w) noexcept = nullptr;

  /// For a publish function, with what keeps a waker out: the time counts from here on, and the
  /// early end may come.
  void begin(suspended& s) noexcept {
    thread = &s;
    if (early != nullptr) [[unlikely]]
      begin_early();
    // A thread outside the pool sleeps for its own time.
    if (s.foreign || when == never) return;
    const std::lock_guard hold(timers::get());
    timers::get().add(*this);
  }

  /// For `expire`.
  detail::frame* end_by_time() noexcept {
    is_late = true;
    return thread;
  }

  /// The thread goes on, and its record is still there.
  void end() noexcept {
    if (!is_late)
      remove_timer();
    else if (leave != nullptr)
      leave(*this);
    // Behind that begin() has returned: a waker, or leave(), has had the lock that it was under.
    if (early != nullptr) [[unlikely]]
      end_early();
  }

  suspended* thread = nullptr;
  detail::early_end* early = nullptr;
  /// Whether the time, or the early end, was first. Written before the thread is made ready.
  bool is_late = false;

 private:
  void begin_early() noexcept {
    KASURI_EXPECT(cheap, leave != nullptr, "wait %p has an early end and stands in no list",
                  static_cast<void*>(this));
    early->wait = this;
    early->begin(*early);
  }
  void end_early() noexcept {
    if (is_late) remove_timer();  // it may be set, where the early end was first
    early->end(*early);
  }
  void remove_timer() noexcept {
    if (when == never) return;
    const std::lock_guard hold(timers::get());
    timers::get().remove(*this);
  }
};

}  // namespace kasuri::sched
