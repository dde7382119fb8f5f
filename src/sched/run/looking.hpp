// SPDX-License-Identifier: Apache-2.0
#pragma once

// A worker without a task, until it has one. search.cpp looks for work, sleep.cpp sleeps where
// there is none and steps aside where others are to run. In aside.cpp a worker to which a stack has
// to come home runs its own frames alone; in orphan.cpp the one worker of a forked child runs all.

#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "record/event.hpp"

namespace kasuri::sched {

class outside;
class pool;
struct search_round;
struct worker;

/// All on the calling thread's worker.
class looking {
 public:
  /// The next frame for this worker: its own, stolen, or after a sleep. Null: the thread is to end.
  static detail::frame* next(worker& w) noexcept;

  /// The worker keeps to its own and its task yields: others that wait for a token go first.
  static void let_others_go(worker& w) noexcept;

 private:
  // search.cpp
  static detail::frame* find(pool& p, worker& w) noexcept;
  static detail::frame* next_own(search_round& r) noexcept;
  static detail::frame* look_at_others(search_round& r) noexcept;
  static detail::frame* search(pool& p, worker& w) noexcept;
  static detail::frame* look_around(search_round& r, std::uint64_t since, unsigned& looks,
                                    bool& own) noexcept;
  static detail::frame* end_search(pool& p, worker& w, detail::frame* found, bool own) noexcept;
  enum class rest { looks_on, has_slept, ends };
  static rest rest_between(const search_round& r, std::uint64_t since, unsigned round) noexcept;

  // sleep.cpp
  struct view;
  static bool sleep_outside(pool& p, worker& w) noexcept;
  static void nap_outside(pool& p, worker& w, outside& o, std::uint64_t ns) noexcept;
  static void sleep(pool& p, worker& w, outside* napping = nullptr,
                    std::uint64_t nap_ns = 0) noexcept;
  static void doze(pool& p, worker& w) noexcept;
  static void note_spare(const pool& p, worker& w, record::event_kind begin_or_end) noexcept;
  static void step_aside(pool& p, worker& w) noexcept;

  // aside.cpp
  static detail::frame* next_of_its_own(pool& p, worker& w) noexcept;
  static detail::frame* await_own_stack(const pool& p, worker& w) noexcept;
  static void stand_aside(pool& p, worker& w) noexcept;
  static detail::frame* search_no_more(pool& p, worker& w) noexcept;
  static bool is_anothers(const pool& p, const worker& w, const detail::frame* f) noexcept;
  static void goes_on(worker& w) noexcept;

  // orphan.cpp
  static detail::frame* next_alone(pool& p, worker& w) noexcept;
};

}  // namespace kasuri::sched
