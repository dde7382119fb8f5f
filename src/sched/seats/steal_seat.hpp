// SPDX-License-Identifier: Apache-2.0
#pragma once

// An owner and its thieves: pool/steal.cpp. The word in which an answer comes is worker::answer.

#include <cstdint>

#include "kasuri/detail/self.hpp"

namespace kasuri::sched {

/// When publishing the only task is not worth it. A thief that takes the single task of an owner
/// who comes back for it at once costs both more than the task; so after such a steal the owner
/// leaves more and more requests for its only task unanswered, until one pays again.
struct shyness {
  detail::worker_slot* slot = nullptr;  // where the last single task was published
  std::uint64_t when = 0;               // ticks
  std::uint32_t level = 0;
  std::uint32_t decline = 0;  // requests to leave unanswered
};

/// Who is answered when it asks a worker for its frames: one that knows them to be short keeps them from
/// those who sleep, or from all, until the monitor or a rescuing thief finds that it was wrong.
enum class offer : std::uint8_t { nobody, awake, everybody };

struct steal_seat {
  // As an owner.
  shyness shy;
  offer offers = offer::everybody;

  // As a thief.
  std::uint64_t asked_at = 0;  // when it asked for an answer, ticks
  std::uint32_t looks_at_answer = 0;
  bool victim_has_work = false;  // the one whose answer it awaits
};

}  // namespace kasuri::sched
