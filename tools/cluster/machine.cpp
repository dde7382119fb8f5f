// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <memory>

#include "cluster/base/process.hpp"
#include "kasuri/global/run.hpp"
#include "weightless.hpp"

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

/// One rank's memory.
std::unique_ptr<memory> open_memory(transport& net, const setup& s) {
  memory_options o;
  const auto ranks = static_cast<std::uint64_t>(s.ranks);
  // Each array's parts are whole blocks, and there is a heap.
  o.range_bytes = s.array_bytes + (ranks * 4 + 64) * s.block_bytes;
  o.heap_bytes = s.block_bytes;
  o.cache_bytes = s.cache_bytes;
  o.block_bytes = s.block_bytes;
  o.log_entries = s.log_entries != 0 ? s.log_entries : notices_for(s.ranks);
  o.same_address = false;
  o.cached = s.cached;
  // Nobody looks at what is there: it gets no pages.
  o.moved_bytes = SIZE_MAX;
  o.populated_bytes = SIZE_MAX;
  return std::make_unique<memory>(net, o);
}

void add(global::rank_counters& t, const global::rank_counters& c) {
  t.steals += c.steals;
  t.steal_trips += c.steal_trips;
  t.most_steal_trips = std::max(t.most_steal_trips, c.most_steal_trips);
  t.failed_probes += c.failed_probes;
  t.posted += c.posted;
  t.sent += c.sent;
  t.kept += c.kept;
  t.naps += c.naps;
  t.waiting_ns += c.waiting_ns;
}

void add(memory_counts& t, const memory_counts& c) {
  t.hits += c.hits;
  t.misses += c.misses;
  t.fetched_bytes += c.fetched_bytes;
  t.refetched_bytes += c.refetched_bytes;
  t.written_back_bytes += c.written_back_bytes;
  t.version_checks += c.version_checks;
  t.unchanged += c.unchanged;
  t.evicted_blocks += c.evicted_blocks;
  t.notices_sent += c.notices_sent;
  t.notices_applied += c.notices_applied;
  t.overflows += c.overflows;
  t.waited_ns += c.waited_ns;
}

std::uint64_t messages(const simulation& all) {
  const simulation_traffic& t = all.traffic();
  return t.puts + t.gets + t.words + t.rings;
}

/// Notes what has gone over the network so far, for end_of_run().
one_run begin_of_run(const simulation& all) { return {0, messages(all), all.traffic().bytes}; }

void end_of_run(const simulation& all, one_run& r) {
  r.messages = messages(all) - r.messages;
  r.bytes = all.traffic().bytes - r.bytes;
}

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

measured run(const setup& s, const std::function<void(memory&)>& begin,
             void (*root)(const setup&)) {
  simulation_options network;
  network.ranks = s.ranks;
  network.ranks_per_host = s.ranks_per_host;
  network.latency_ns = s.latency_ns;
  network.jitter_ns = s.jitter_ns;
  network.seed = s.seed;
  network.stack_bytes = std::size_t{128} << 10;
  simulation sim(network);
  accounts.assign(static_cast<std::size_t>(s.ranks), {});
  measured result;
  result.each.resize(static_cast<std::size_t>(s.runs));
  sim.run([&](int rank, transport& net) {
    scheduler_options how;
    how.adws = s.adws;
    if (s.patience_ns != 0) how.patience_ns = s.patience_ns;
    how.seed = s.seed;
    no_coherence nothing;
    weightless to_memory(net);
    std::unique_ptr<memory> kept;
    if (s.data) {
      kept = open_memory(to_memory, s);
      to_memory.empty(kept->base(), kept->options().range_bytes);
      sim.process_of(rank).memory = kept.get();
      begin(*kept);
    }
    simulated_rank me(sim, rank, s.data ? static_cast<coherence&>(*kept) : nothing, how);
    setup mine = s;
    for (one_run& r : result.each) {
      if (s.runs != 1) net.barrier();
      if (rank == 0) r = begin_of_run(sim);
      const std::uint64_t since = net.now_ns();
      global::run([mine, root] {
        root(mine);
        settle();
      });
      r.ns = std::max(r.ns, net.now_ns() - since);
      if (rank == 0) result.ns += net.now_ns() - since;
      if (s.runs != 1) net.barrier();
      if (rank == 0) end_of_run(sim, r);
      ++mine.number;
    }
    add(result.total, me.scheduler().counted().read(rank));
    if (s.data) add(result.moved, kept->counts());
    net.barrier();
    sim.process_of(rank).memory = nullptr;
    static_cast<void>(kept.release());
  });
  for (const account& a : accounts) result.work_ns += a.work;
  return result;
}

}  // namespace kasuri::tools::cluster
