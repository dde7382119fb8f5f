// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Sleeping without a worker, and functions that are called at a time.
///
/// Any number of tasks may sleep and any number of timers may be set: one OS thread, which starts
/// with the first of them, sleeps until the earliest time. Times may come later than asked for,
/// never earlier: the system's own tolerance is 50 us, and then a worker must be free. A task that
/// sleeps goes on behind what its worker has queued. To end a loop at a time give it a condition,
/// stop_after: that takes no worker.
///
/// Each call of a timer's function is a task that comes before all others: when a running task ends
/// or yields, and where none does, on a thread more, late by some tens of milliseconds.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasuri/detail/cxx_library.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/detail/time.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

void sleep_by(std::int64_t by);

/// The function of a timer.
struct timed_function {
  void (*call)(timed_function& f) noexcept;
  void (*destroy)(timed_function* f) noexcept;
};

template <class F>
struct timed_function_of : timed_function {
  explicit timed_function_of(F&& f) : timed_function{run, drop}, function(std::move(f)) {}
  static void run(timed_function& f) noexcept { static_cast<timed_function_of&>(f).function(); }
  static void drop(timed_function* f) noexcept { delete static_cast<timed_function_of*>(f); }

  F function;
};

struct timer_record;

/// Takes `f` over, and destroys it if it throws. `period`: nanoseconds between two calls; 0: one
/// call.
timer_record* start_timer(std::int64_t at, std::int64_t period, timed_function* f);
bool cancel_timer(timer_record& t) noexcept;
/// The handle goes.
void end_timer(timer_record* t) noexcept;
void detach_timer(timer_record* t) noexcept;

template <class F>
timer_record* start_timer_of(std::int64_t at, std::int64_t period, F&& f) {
  using function = timed_function_of<std::decay_t<F>>;
  return start_timer(at, period, new function(std::decay_t<F>(std::forward<F>(f))));
}

}  // namespace detail

/// Suspends the task for `d`; the worker goes on with others. An OS thread that is no worker
/// sleeps. Of zero or less it lets other tasks go first, as this_task::yield() does.
/// @throw std::bad_alloc when there is no memory to wait with, or the system has no thread for
/// timers.
/// @par Complexity: logarithmic in the number of timers.
/// @par Cancellation: none; sleep_for(d, stop) of stop.hpp may end early.
/// @par Thread-safety: any thread.
template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& d) {
  detail::sleep_by(detail::time_after(d));
}

/// The same, until `t` by its clock.
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& t) {
  detail::until(t, [](std::int64_t by) {
    detail::sleep_by(by);
    return false;
  });
}

/// The handle of a function that is called at a time, by run_after, run_at or run_every. Moves,
/// does not copy. A handle that is destroyed cancels: behind it the function does not run any more.
/// @par Thread-safety: as any object, one thread at a time; the function's own thread apart.
class [[nodiscard]] timer {
 public:
  /// Without a function: valid() is false.
  timer() noexcept = default;
  /// Takes the function over; `other` has none afterwards.
  timer(timer&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  /// The same; the function that this one had ends as by the destructor.
  timer& operator=(timer&& other) noexcept {
    if (this != &other) {
      end();
      record_ = std::exchange(other.record_, nullptr);
    }
    return *this;
  }
  /// Cancels, and waits for a call that is under way, unless it is that call which destroys the
  /// handle. Where there is no memory to wait with it ends the program with a message.
  ~timer() { end(); }

  /// Whether there is a function behind it: not after a move, detach(), or default construction.
  bool valid() const noexcept { return record_ != nullptr; }

  /// From here on no call begins; one that is under way goes on, and in it this_task::canceled() is
  /// true. Does not wait.
  /// @return whether a call was still to come, which does not come now.
  bool cancel() noexcept { return record_ != nullptr && detail::cancel_timer(*record_); }

  /// Lets the function be called at its times without the handle, which has none afterwards.
  void detach() noexcept {
    if (record_ != nullptr) detail::detach_timer(std::exchange(record_, nullptr));
  }

 private:
  template <class Rep, class Period, class F>
  friend timer run_after(const std::chrono::duration<Rep, Period>& d, F&& f);
  template <class Clock, class Duration, class F>
  friend timer run_at(const std::chrono::time_point<Clock, Duration>& t, F&& f);
  template <class Rep, class Period, class F>
  friend timer run_every(const std::chrono::duration<Rep, Period>& d, F&& f);

  explicit timer(detail::timer_record* r) noexcept : record_(r) {}
  void end() noexcept {
    if (record_ != nullptr) detail::end_timer(std::exchange(record_, nullptr));
  }

  detail::timer_record* record_ = nullptr;
};

/// Calls `f` as a task of its own once `d` has passed; at once for zero and less.
/// @param d  how long to wait.
/// @param f  callable without arguments; copied or moved. Its result is dropped; an exception that
///           leaves it ends the program by std::terminate. It may wait. Destroyed when neither the
///           handle nor a call is left.
/// @return the handle. Drop it, and f does not run; detach() it to forget about it.
/// @throw std::bad_alloc when there is no memory, or the system has no thread for timers.
/// @par Complexity: logarithmic in the number of timers.
/// @par Thread-safety: any thread. On one that is no worker it starts the pool.
template <class Rep, class Period, class F>
timer run_after(const std::chrono::duration<Rep, Period>& d, F&& f) {
  return timer(detail::start_timer_of(detail::time_after(d), 0, std::forward<F>(f)));
}

/// The same, once the clock of `t` shows t; by a clock other than std::chrono::steady_clock, as it
/// goes now.
template <class Clock, class Duration, class F>
timer run_at(const std::chrono::time_point<Clock, Duration>& t, F&& f) {
  return timer(detail::start_timer_of(detail::time_at(t), 0, std::forward<F>(f)));
}

/// Calls `f` as a task again and again, `d` after now, 2 d after now, and so on, until the handle
/// is cancelled. Calls do not overlap: times that pass while a call is under way are left out.
/// @throw std::invalid_argument when d is zero or less; the rest as run_after.
template <class Rep, class Period, class F>
timer run_every(const std::chrono::duration<Rep, Period>& d, F&& f) {
  const std::int64_t ns = detail::whole_nanoseconds(detail::in_nanoseconds(d));
  if (ns == 0)
    detail::throw_invalid_argument(
        "kasuri::run_every: d is zero or less; accepted: more than zero");
  return timer(detail::start_timer_of(detail::time_after(ns), ns, std::forward<F>(f)));
}

}  // namespace kasuri
