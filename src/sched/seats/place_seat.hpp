// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the worker is in the machine: set when the pool is configured (roster/roster.cpp).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

struct place_seat {
  int cell = -1;  // its position on the line of workers (pool::on_line), or -1
  int node = 0;   // of its place in the machine; of a guest, where it entered
  std::vector<std::vector<int>> victims;  // indices by machine level, nearest first
  std::vector<std::uint8_t> levels;       // the level of each of these by index
  std::size_t levels_of_node = 0;         // so many levels of victims lie on its NUMA node

  /// The level of the machine tree, 0 the nearest, at which it meets worker `other`. Workers
  /// without a place of their own (guests, spares) are far from all.
  unsigned level_of(int other) const noexcept {
    KASURI_EXPECT(cheap, other >= 0 && levels_of_node <= victims.size(),
                  "worker %d, %zu of %zu levels lie on the node", other, levels_of_node,
                  victims.size());
    const auto i = static_cast<std::size_t>(other);
    return i < levels.size() ? levels[i] : static_cast<unsigned>(victims.size());
  }
};

}  // namespace kasuri::sched
