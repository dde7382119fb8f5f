// SPDX-License-Identifier: Apache-2.0
#pragma once

// A computation on the ranks of a simulation.

#include <cstdint>
#include <functional>
#include <vector>

#include "cluster/sched/front/strands.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/counters.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/run.hpp"

namespace kasuri::cluster::test {

struct outcome {
  std::vector<global::rank_counters> counters;
  std::uint64_t digest = 0;
  std::uint64_t ns = 0;

  global::rank_counters total() const {
    global::rank_counters t{};
    for (const auto& c : counters) {
      t.steals += c.steals;
      t.steal_trips += c.steal_trips;
      t.most_steal_trips = std::max(t.most_steal_trips, c.most_steal_trips);
      t.failed_probes += c.failed_probes;
      t.failed_trips += c.failed_trips;
      t.posted += c.posted;
      t.taken_back += c.taken_back;
      t.sent += c.sent;
      t.kept += c.kept;
      t.received += c.received;
      t.ran += c.ran;
      t.joined += c.joined;
    }
    return t;
  }
};

/// body(rank) runs at each rank, with the scheduler started.
template <class Body>
outcome on_ranks(const simulation_options& network, const scheduler_options& how, Body body) {
  outcome all;
  simulation sim(network);
  std::vector<no_coherence> memories(static_cast<std::size_t>(network.ranks));
  sim.run([&](int rank, transport& net) {
    scheduler_options mine = how;
    mine.seed = network.seed;
    simulated_rank me(sim, rank, memories[static_cast<std::size_t>(rank)], mine);
    body(rank);
    auto counted = me.scheduler().gather_counters();
    if (rank == 0) {
      all.counters = std::move(counted);
      all.ns = net.now_ns();
    }
    net.barrier();
  });
  all.digest = sim.time().digest();
  return all;
}

inline void spend(std::uint64_t ns) { current_process->network->spend(ns); }
inline int this_rank() { return current_process->network->rank(); }

}  // namespace kasuri::cluster::test
