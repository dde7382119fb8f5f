// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranks of the simulated network, each with a global memory.

#include <cstddef>
#include <functional>

#include "cluster/memory/memory.hpp"
#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::test {

/// A heap and a cache so small that a few hundred objects fill them.
inline cluster::memory_options small_memory() {
  cluster::memory_options o;
  o.range_bytes = std::size_t{8} << 20;
  o.heap_bytes = std::size_t{64} << 10;
  o.cache_bytes = std::size_t{64} << 10;
  o.same_address = false;
  return o;
}

/// Runs main(rank, network, memory) on each rank of `net`.
inline void on_simulated_ranks(
    const cluster::simulation_options& net, const cluster::memory_options& options,
    const std::function<void(int, cluster::transport&, cluster::memory&)>& main) {
  cluster::simulation all(net);
  all.run([&](int rank, cluster::transport& network) {
    cluster::memory m(network, options);
    all.process_of(rank).memory = &m;
    main(rank, network, m);
    network.barrier();
    all.process_of(rank).memory = nullptr;
  });
}

/// The same on a network of `ranks` ranks without jitter.
inline void on_simulated_ranks(
    int ranks, const cluster::memory_options& options,
    const std::function<void(int, cluster::transport&, cluster::memory&)>& main) {
  cluster::simulation_options net;
  net.ranks = ranks;
  on_simulated_ranks(net, options, main);
}

}  // namespace kasuri::test
