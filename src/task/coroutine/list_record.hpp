// SPDX-License-Identifier: Apache-2.0
#pragma once

// A coroutine in a list of waiters (task/wait_list.hpp), for as long as it takes or until a time.
//
// A wait with a time follows the protocol of threads (sched/kernel/timed_word.hpp). What a thread
// does when it goes on, the record's code does before it resumes the coroutine: it takes the timer
// away, or leaves the list. So that thread of the protocol is the worker that runs the record.

#include <coroutine>

#include "sched/pool/pool.hpp"
#include "sched/time/timers.hpp"
#include "task/coroutine/record.hpp"
#include "task/wait_list.hpp"

namespace kasuri::task {

/// The coroutine stands in the list, whose lock is let go.
inline bool wait_in(wait_list& l, coroutine_record& r) noexcept {
  note_list(l, &r);
  queue_and_let_go(l, static_cast<suspended*>(&r));
  return true;
}

struct timed_coroutine_record : coroutine_record, list_wait {
  timed_coroutine_record(wait_list& l, sched::steady_ns by) noexcept : list_wait(l, by) {}

  /// The wait is over, and the coroutine about to go on.
  void end_wait() noexcept {
    list_wait::end();
    came = !is_late;
  }
};

inline constexpr detail::frame_type ready_timed_coroutine{
    [](detail::frame* f) -> detail::suspended* {
      auto& r = *static_cast<timed_coroutine_record*>(f);
      r.end_wait();
      r.coroutine.resume();
      return nullptr;
    },
    false, "coroutine"};

inline timed_coroutine_record& make_timed_record(wait_list& l, detail::timed_coroutine_waiter& w,
                                                 std::coroutine_handle<> c, sched::steady_ns by,
                                                 record::wait_reason why) noexcept {
  return make_record<timed_coroutine_record>(w, c, why, ready_timed_coroutine, l, by);
}

/// As above, until the record's time.
inline bool wait_in(wait_list& l, timed_coroutine_record& r) noexcept {
  note_list(l, &r, &r.word);
  r.begin(r);
  queue_and_let_go(l, static_cast<suspended*>(&r));
  return true;
}

/// Whether `by` is still to come, so that a coroutine may wait until then: by a timer, on whatever
/// thread it runs. Throws std::bad_alloc where the system has no thread for timers.
[[nodiscard]] inline bool coroutine_may_wait_until(sched::steady_ns by) {
  if (by == sched::never) return true;
  if (by <= sched::steady_now()) return false;
  sched::pool::get();
  if (!sched::timers::get().prepare()) throw std::bad_alloc();
  return true;
}

}  // namespace kasuri::task
