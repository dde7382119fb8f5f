// SPDX-License-Identifier: Apache-2.0
// Vector clocks over processes: which events lie in the causal past of an event.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "operation.hpp"  // for max_processes

namespace kasuri::model {

/// Counts events. Signed and short because that is what the CPU takes the maximum of 8 at a time
/// of.
using tick = std::int16_t;

/// to[i] = max(to[i], from[i]). By way of a local result, which cannot overlap: it is vectorized.
template <class T, std::size_t N>
void raise(std::array<T, N>& to, const std::array<T, N>& from) {
  std::array<T, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = to[i] < from[i] ? from[i] : to[i];
  to = result;
}

struct clock {
  std::array<tick, max_processes> at{};  // events of each process that lie in the past

  void join(const clock& other) { raise(at, other.at); }
  bool covers(int process, tick index) const { return at[process] >= index; }
};

}  // namespace kasuri::model
