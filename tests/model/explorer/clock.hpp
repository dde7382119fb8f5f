// SPDX-License-Identifier: Apache-2.0
// Vector clocks over processes: which events lie in the causal past of an event.
#pragma once

#include <algorithm>  // for max
#include <array>
#include <cstdint>

#include "operation.hpp"  // for max_processes

namespace kasuri::model {

struct clock {
  std::array<std::uint16_t, max_processes> at{};  // events of each process that lie in the past

  void join(const clock& other) {
    for (int p = 0; p < max_processes; ++p) at[p] = std::max(at[p], other.at[p]);
  }
  bool covers(int process, std::uint16_t index) const { return at[process] >= index; }
};

}  // namespace kasuri::model
