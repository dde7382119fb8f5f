// SPDX-License-Identifier: Apache-2.0
#pragma once

// A worker keeps this from one turn of its loop to the next: run/loop.cpp, run/search.cpp.

#include <cstdint>

namespace kasuri::sched {

struct loop_seat {
  std::uint64_t random = 1;        // kernel/random.hpp
  std::uint32_t patience = 0;      // turns of the loop before its own stack's thread, though ready
  std::uint32_t turns = 0;         // of the loop, for fairness between deque and ring
  bool just_started = false;       // its thread was started by a claim, and so counts as searching
  int slot = -1;                   // worker/slot.hpp
  std::uint64_t left_at_fork = 0;  // in the child of a fork: see run/orphan.cpp
};

}  // namespace kasuri::sched
