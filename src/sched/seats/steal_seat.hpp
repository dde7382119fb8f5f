// SPDX-License-Identifier: Apache-2.0
#pragma once

// An owner and its thieves: pool/steal.cpp. The word in which an answer comes is worker::answer.

#include <cstdint>

#include "kasuri/detail/self.hpp"
#include "sched/arena/arena_state.hpp"

namespace kasuri::sched {

/// An owner keeps its only task from thieves while publishing it does not pay. A steal does not pay
/// where the owner comes back for the task at once: it costs both more than the task. After such a
/// steal the owner leaves twice as many requests for its only task unanswered as before, and after
/// one that pays none.
struct publish_backoff {
  detail::worker_slot* slot = nullptr;  // where the last single task was published
  std::uint64_t when = 0;               // ticks
  std::uint32_t level = 0;
  std::uint32_t decline = 0;  // requests to leave unanswered
};

/// A worker answers these when they ask for its frames. One that knows its frames to be short wakes
/// no sleeper for them, or answers nobody, until the monitor or a rescuing thief finds otherwise.
enum class offer : std::uint8_t { nobody, awake, everybody };

struct steal_seat {
  // As an owner.
  publish_backoff backoff;
  offer offers = offer::everybody;

  // As a thief.
  std::uint64_t asked_at = 0;  // when it asked for an answer, ticks
  std::uint32_t looks_at_answer = 0;
  bool victim_has_work = false;  // the one whose answer it awaits
  /// Victims that run tasks of another priority are left out: see looking::look_at_others.
  priority seeks = priority::normal;
};

}  // namespace kasuri::sched
