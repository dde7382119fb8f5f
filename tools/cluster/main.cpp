// SPDX-License-Identifier: Apache-2.0
// cluster_simulate uts|cilksort|runs RANKS [SEED] [options]: the cluster's scheduler on a simulated
// network.

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>

#include "machine.hpp"

namespace {

using kasuri::tools::cluster::measured;
using kasuri::tools::cluster::setup;

constexpr const char* usage =
    "usage: cluster_simulate uts|cilksort|runs RANKS [SEED] [--adws] [--data | --uncached]\n"
    "         [--size N] [--leaf-ns N] [--host RANKS] [--latency NS] [--jitter NS] [--patience "
    "NS]\n"
    "         [--block BYTES] [--cache BYTES] [--log NOTICES] [--csv]\n"
    "  uts       geometric tree; --size its depth (13), --leaf-ns a node's cost (110)\n"
    "  cilksort  --size elements (10^9); --data: they are in global memory, in blocks of --block\n"
    "            (4096), --cache of others' at each rank (2^28); --uncached: likewise, cache off\n"
    "  runs      with --data one that writes 8 blocks a rank (--scattered: 8 bytes of each), two "
    "that\n"
    "            do nothing, and so on; without, all do nothing\n";

[[noreturn]] void reject(const std::string& what) {
  std::fprintf(stderr, "cluster_simulate: %s\n%s", what.c_str(), usage);
  std::exit(2);
}

double number(const std::string& name, const char* text) {
  char* end = nullptr;
  const double value = text == nullptr ? -1 : std::strtod(text, &end);
  if (text == nullptr || *end != '\0' || value < 0 || value > 1e15)
    reject(name + ": " + (text == nullptr ? "nothing" : text) + "; accepted: a number from 0 on");
  return value;
}

struct request {
  setup what;
  bool csv = false;
};

request read(int argc, char** argv) {
  request all;
  setup& s = all.what;
  const std::map<std::string, std::function<void(double)>> options{
      {"--size", [&](double v) { s.size = v; }},
      {"--leaf-ns", [&](double v) { s.leaf_ns = static_cast<std::uint64_t>(v); }},
      {"--host", [&](double v) { s.ranks_per_host = v < 1 ? 1 : static_cast<int>(v); }},
      {"--latency", [&](double v) { s.latency_ns = static_cast<std::uint64_t>(v); }},
      {"--patience", [&](double v) { s.patience_ns = static_cast<std::uint64_t>(v); }},
      {"--block", [&](double v) { s.block_bytes = static_cast<std::uint64_t>(v); }},
      {"--log", [&](double v) { s.log_entries = static_cast<std::size_t>(v); }},
      {"--cache", [&](double v) { s.cache_bytes = static_cast<std::uint64_t>(v); }},
      {"--jitter", [&](double v) { s.jitter_ns = static_cast<std::uint64_t>(v); }}};
  int position = 0;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--adws") {
      s.adws = true;
    } else if (word == "--data") {
      s.data = true;
    } else if (word == "--scattered") {
      s.scattered = true;
    } else if (word == "--csv") {
      all.csv = true;
    } else if (word == "--uncached") {
      s.data = true;
      s.cached = false;
    } else if (const auto found = options.find(word); found != options.end()) {
      ++i;
      found->second(number(word, i < argc ? argv[i] : nullptr));
    } else if (position == 0) {
      s.ranks = static_cast<int>(number("RANKS", argv[i]));
      if (s.ranks < 1 || s.ranks > 65536) reject("RANKS: " + word + "; accepted: 1 to 65536");
      ++position;
    } else if (position == 1) {
      s.seed = static_cast<std::uint64_t>(number("SEED", argv[i]));
      ++position;
    } else {
      reject("unknown argument " + word);
    }
  }
  if (position == 0) reject("RANKS is missing");
  if (!std::has_single_bit(s.block_bytes) || s.block_bytes < 4096 || s.block_bytes > 1 << 20)
    reject("--block: " + std::to_string(s.block_bytes) +
           "; accepted: a power of two, 4096 to 1048576");
  return all;
}

const char* memory_of(const setup& s) {
  return !s.data ? "none" : s.cached ? "cached" : "uncached";
}

/// For tools/cluster/curves.py.
void show_csv(const std::string& problem, const setup& s, const measured& m) {
  const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
  const double all_ns = static_cast<double>(m.ns) * s.ranks;
  std::printf(
      "problem,size,ranks,seed,policy,memory,efficiency,run_ms,steals,most_trips,fetched_bytes,"
      "refetched_bytes,written_back_bytes,memory_wait_share\n");
  std::printf("%s,%.0f,%d,%llu,%s,%s,%.4f,%.3f,%llu,%llu,%llu,%llu,%llu,%.4f\n", problem.c_str(),
              s.size, s.ranks, n(s.seed), s.adws ? "adws" : "random", memory_of(s),
              m.work_ns / all_ns, static_cast<double>(m.ns) / 1e6, n(m.total.steals),
              n(m.total.most_steal_trips), n(m.moved.fetched_bytes), n(m.moved.refetched_bytes),
              n(m.moved.written_back_bytes), static_cast<double>(m.moved.waited_ns) / all_ns);
}

/// The first of each kind is left out: caches and logs are new.
void show_runs(const setup& s, const measured& m) {
  const char* const names[] = {"writes", "empty, behind one that wrote",
                               "empty, behind an empty one"};
  for (std::size_t i = 3; i < m.each.size(); ++i)
    std::printf("%-30s %10.1f us %10.1f messages a rank %10.1f KB a rank\n",
                names[s.data ? i % 3 : 2], static_cast<double>(m.each[i].ns) / 1e3,
                static_cast<double>(m.each[i].messages) / s.ranks,
                static_cast<double>(m.each[i].bytes) / 1e3 / s.ranks);
}

void show(const setup& s, const measured& m) {
  const double speedup = m.work_ns / static_cast<double>(m.ns);
  std::printf("ranks %d seed %llu%s, memory: %s\n", s.ranks,
              static_cast<unsigned long long>(s.seed), s.adws ? " adws" : "", memory_of(s));
  std::printf("work %.3f s, run %.3f ms, speedup %.1f, efficiency %.1f %%\n", m.work_ns / 1e9,
              static_cast<double>(m.ns) / 1e6, speedup, 100 * speedup / s.ranks);
  const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
  std::printf(
      "steals %llu, trips %llu (at most %llu), failed probes %llu, posted %llu, sent %llu, "
      "kept %llu, naps %llu\n",
      n(m.total.steals), n(m.total.steal_trips), n(m.total.most_steal_trips),
      n(m.total.failed_probes), n(m.total.posted), n(m.total.sent), n(m.total.kept),
      n(m.total.naps));
  if (!s.data) return;
  const auto mb = [](std::uint64_t v) { return static_cast<double>(v) / 1e6; };
  std::printf(
      "hits %llu, misses %llu, fetched %.3f MB (%.3f again), written back %.3f MB, "
      "evicted %llu\n",
      n(m.moved.hits), n(m.moved.misses), mb(m.moved.fetched_bytes), mb(m.moved.refetched_bytes),
      mb(m.moved.written_back_bytes), n(m.moved.evicted_blocks));
  const double all_ns = static_cast<double>(m.ns) * s.ranks;
  std::printf(
      "notices %llu, learned %llu, overflows %llu, versions %llu (%llu unchanged), "
      "memory waits %.1f %% of the ranks' time\n",
      n(m.moved.notices_sent), n(m.moved.notices_applied), n(m.moved.overflows),
      n(m.moved.version_checks), n(m.moved.unchanged),
      100 * static_cast<double>(m.moved.waited_ns) / all_ns);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string problem = argc > 1 ? argv[1] : "";
  if (problem != "uts" && problem != "cilksort" && problem != "runs") reject("problem: " + problem);
  const auto [s, csv] = read(argc, argv);
  try {
    if (problem == "runs") {
      show_runs(s, kasuri::tools::cluster::runs(s));
      return 0;
    }
    const measured m =
        problem == "uts" ? kasuri::tools::cluster::uts(s) : kasuri::tools::cluster::cilksort(s);
    if (csv)
      show_csv(problem, s, m);
    else
      show(s, m);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cluster_simulate: %s\n", e.what());
    return 1;
  }
  return 0;
}
