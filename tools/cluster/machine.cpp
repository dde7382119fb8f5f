// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include "cluster/process.hpp"
#include "kasuri/global/run.hpp"

namespace kasuri::tools::cluster {

using namespace kasuri::cluster;

namespace {

constexpr std::uint64_t at_a_time_ns = 2000;

struct account {
  std::uint64_t owed = 0;
  double work = 0;
};
std::vector<account> accounts;

account& mine() { return accounts[static_cast<std::size_t>(current_process->network->rank())]; }

}  // namespace

void compute(std::uint64_t ns) {
  account& a = mine();
  a.owed += ns;
  a.work += static_cast<double>(ns);
  if (a.owed >= at_a_time_ns) settle();
}

void settle() {
  account& a = mine();
  const std::uint64_t ns = a.owed;
  a.owed = 0;
  current_process->network->spend(ns);
}

measured run(const setup& s, const std::function<void(int, transport&)>& begin,
             void (*root)(const setup&)) {
  simulation_options network;
  network.ranks = s.ranks;
  network.ranks_per_host = s.ranks_per_host;
  network.latency_ns = s.latency_ns;
  network.jitter_ns = s.jitter_ns;
  network.seed = s.seed;
  network.stack_bytes = std::size_t{128} << 10;
  simulation sim(network);
  std::vector<no_coherence> memories(static_cast<std::size_t>(s.ranks));
  accounts.assign(static_cast<std::size_t>(s.ranks), {});
  measured result;
  sim.run([&](int rank, transport& net) {
    scheduler_options how;
    how.adws = s.adws;
    how.memory = false;
    if (s.patience_ns != 0) how.patience_ns = s.patience_ns;
    how.seed = s.seed;
    simulated_rank me(sim, rank, memories[static_cast<std::size_t>(rank)], how);
    begin(rank, net);
    const std::uint64_t since = net.now_ns();
    global::run([s, root] {
      root(s);
      settle();
    });
    if (rank == 0) result.ns = net.now_ns() - since;
    const auto c = me.scheduler().counted().read(rank);
    global::rank_counters& t = result.total;
    t.steals += c.steals;
    t.steal_trips += c.steal_trips;
    t.most_steal_trips = std::max(t.most_steal_trips, c.most_steal_trips);
    t.failed_probes += c.failed_probes;
    t.posted += c.posted;
    t.sent += c.sent;
    t.kept += c.kept;
    t.naps += c.naps;
    t.waiting_ns += c.waiting_ns;
    net.barrier();
  });
  for (const account& a : accounts) result.work_ns += a.work;
  return result;
}

}  // namespace kasuri::tools::cluster
