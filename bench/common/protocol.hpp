// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ticks.hpp>

#include <cstdint>

#include "bench.hpp"

/// How the paper behind the common model measures what one turn of a loop costs (Taura and Nakajima
/// 2013, section 5): so many turns, so often, without the first repetitions; the mean of the rest.
namespace bench {

struct protocol {
  long turns;       ///< of a repetition
  int repetitions;  ///< in all
  int dropped;      ///< of these, the first
};

/// The paper's: 1000 turns 31 times, without the first 5.
inline constexpr protocol paper_protocol = {1000, 31, 5};

/// Of one turn.
struct cost {
  double cycles = 0;
  double ns = 0;
};

/// Calls loop(turns) as the protocol says.
template <class Loop>
cost measure_turn(const protocol& how, const Loop& loop) {
  std::uint64_t first_cycles = 0;
  double first = 0;
  for (int i = 0; i < how.repetitions; ++i) {
    if (i == how.dropped) {
      first_cycles = ticks();
      first = now();
    }
    loop(how.turns);
  }
  const auto cycles = static_cast<double>(ticks() - first_cycles);
  const double seconds = now() - first;
  const auto turns = static_cast<double>((how.repetitions - how.dropped) * how.turns);
  return {cycles / turns, seconds * 1e9 / turns};
}

/// Nanoseconds that one tick of ticks() takes here.
inline double ns_per_tick() {
  const double start = now();
  const std::uint64_t first = ticks();
  while (now() - start < 5e-3) {
  }
  return (now() - start) * 1e9 / static_cast<double>(ticks() - first);
}

}  // namespace bench
