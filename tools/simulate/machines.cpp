// SPDX-License-Identifier: Apache-2.0
#include "simulate/machines.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "simulate/graph.hpp"

namespace kasuri::simulate {
namespace {

constexpr int cluster_cores = 64;
constexpr int most_workers = 65536;

[[noreturn]] void refuse(const std::string& name) {
  throw bad_value("--machine " + name +
                  ": not known; accepted: CORESxNODES with at least a core in each node (48x8), "
                  "opteron-6172, xeon-phi, CORES=cluster, a synthetic description of hwloc");
}

std::optional<int> number(std::string_view text) {
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < 1 || n > most_workers)
    return std::nullopt;
  return n;
}

/// `cores` cores of `threads` PUs in order over `nodes` NUMA nodes; `together` make a package.
platform::topology tree(int cores, int threads, int nodes, int together) {
  platform::topology t;
  t.is_this_machine = t.has_structure = false;
  for (int core = 0; core != cores; ++core) {
    const int node = static_cast<int>(static_cast<std::int64_t>(core) * nodes / cores);
    for (int i = 0; i != threads; ++i)
      t.pus.push_back({.os_index = core * threads + i,
                       .core = core,
                       .l3 = node,
                       .numa_node = node,
                       .package = node / together});
  }
  for (int i = 0; i != nodes; ++i) t.numa_nodes.push_back({.os_index = i});
  return t;
}

/// hwloc takes descriptions from the environment alone.
platform::topology described(const std::string& text) {
  ::setenv("HWLOC_SYNTHETIC", text.c_str(), 1);
  platform::topology t = platform::read_topology();
  ::unsetenv("HWLOC_SYNTHETIC");
  if (t.is_this_machine) refuse(text);
  return t;
}

}  // namespace

platform::topology machine_of(const std::string& name) {
  // AMD Opteron 6172: packages of two dies, each six cores, an L3 and its memory.
  if (name == "opteron-6172") return tree(48, 1, 8, 2);
  // Xeon Phi 7120: 61 cores of four threads and one memory; no L3.
  if (name == "xeon-phi") {
    platform::topology t = tree(61, 4, 1, 1);
    for (platform::pu& p : t.pus) p.l3 = -1;
    return t;
  }
  if (name.find(':') != std::string::npos) return described(name);
  if (name.ends_with("=cluster")) {
    const auto cores = number(std::string_view(name).substr(0, name.find("=cluster")));
    if (!cores) refuse(name);
    const int nodes = (*cores + cluster_cores - 1) / cluster_cores;
    return tree(*cores, 1, nodes, 1);
  }
  const auto x = name.find('x');
  if (x == std::string::npos) refuse(name);
  const auto cores = number(std::string_view(name).substr(0, x));
  const auto nodes = number(std::string_view(name).substr(x + 1));
  if (!cores || !nodes || *nodes > *cores) refuse(name);
  return tree(*cores, 1, *nodes, 1);
}

cost_model costs_of(const std::string& machine) {
  cost_model c;
  if (!machine.ends_with("=cluster")) return c;
  c.probe[elsewhere] = 2'000;
  c.steal[elsewhere] = 10'000;
  c.letter = 3'000;
  return c;
}

}  // namespace kasuri::simulate
