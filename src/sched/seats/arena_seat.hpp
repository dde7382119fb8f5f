// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "sched/arena/arena_state.hpp"

namespace kasuri::sched {

/// The arena of the tasks that the worker runs, as thieves see it; null: none. The owner writes it
/// with worker_face::arena (run/gate.cpp).
class arena_seat {
 public:
  void set(arena_state* a) noexcept {
    // release: pairs with the loads in is_full and urgency: a thief finds the arena made
    arena_.store(a, std::memory_order_release);
  }

  /// Whether the owner keeps its private frames to itself: nobody else has a permit for them. The
  /// thread that gives a permit back wakes sleepers, as for work that became visible.
  bool is_full() const noexcept {
    // acquire: pairs with the store in set. Which one is seen: the last, after the fence in
    // prepare_sleep() of sched/kernel/idle.hpp; else a hint
    const arena_state* const a = arena_.load(std::memory_order_acquire);
    return a != nullptr && !a->permits.has_room();
  }

  /// A hint.
  priority urgency() const noexcept {
    // acquire: pairs with the store in set
    return priority_of(arena_.load(std::memory_order_acquire));
  }

 private:
  std::atomic<arena_state*> arena_{nullptr};
};

}  // namespace kasuri::sched
