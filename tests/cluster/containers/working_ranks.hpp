// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranks of the simulated network, each with a global memory and a scheduler.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "cluster/jittery_network.hpp"
#include "cluster/memory/memory.hpp"
#include "cluster/sched/front/strands.hpp"
#include "cluster/simulated_memory.hpp"
#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::test {

/// One container or two fit in. Where the seed says so the cache is off, or, if that is
/// `checkable`, parallel uses are looked for. Not of words that all ranks use at once: who wants
/// their record yields by a call of the system, which takes long beside other programs.
inline cluster::memory_options container_memory(std::uint64_t seed, bool checkable) {
  cluster::memory_options o = small_memory();
  o.cached = seed % 5 != 0;
  o.checked = checkable && seed % 4 == 0;
  o.check_bytes = std::size_t{64} << 20;
  o.races_end = false;
  return o;
}

/// Runs main(rank, network) on each rank.
inline void on_working_ranks(int ranks, std::uint64_t seed, const cluster::memory_options& options,
                             const std::function<void(int, cluster::transport&)>& main) {
  cluster::simulation all(jittery_network(ranks, seed));
  all.run([&](int rank, cluster::transport& net) {
    cluster::memory m(net, options);
    all.process_of(rank).memory = &m;
    cluster::scheduler_options how;
    how.adws = seed % 3 == 0;
    how.seed = seed;
    how.checked = options.checked;
    {
      const cluster::simulated_rank tasks(all, rank, m, how);
      main(rank, net);
      net.barrier();
    }
    all.process_of(rank).memory = nullptr;
  });
}

}  // namespace kasuri::test
