// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::test {

/// `ranks` simulated ranks, two on each host; where the seed is even, messages are late by up to
/// 20 us.
inline cluster::simulation_options jittery_network(int ranks, std::uint64_t seed) {
  cluster::simulation_options o;
  o.ranks = ranks;
  o.ranks_per_host = 2;
  o.seed = seed;
  o.jitter_ns = seed % 2 == 0 ? 20'000 : 0;
  o.until_ns = 100'000'000'000;
  return o;
}

}  // namespace kasuri::test
