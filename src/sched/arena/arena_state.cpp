// SPDX-License-Identifier: Apache-2.0
#include "sched/arena/arena_state.hpp"

#include "platform/base/expect.hpp"

namespace kasuri::sched {

constinit std::atomic<bool> arenas_are_used{false};
constinit std::atomic<bool> priorities_are_used{false};

void begin_arena(arena_state& a, int most, priority p) noexcept {
  KASURI_EXPECT(cheap, p <= priority::high, "an arena of priority %d", static_cast<int>(p));
  a.permits.begin(most);
  a.urgency.store(p, std::memory_order_relaxed);
  // relaxed: frames of the arena come from those who know it by its maker
  arenas_are_used.store(true, std::memory_order_relaxed);
  if (p != priority::normal) priorities_are_used.store(true, std::memory_order_relaxed);
}

}  // namespace kasuri::sched
