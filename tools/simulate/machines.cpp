// SPDX-License-Identifier: Apache-2.0
#include "simulate/machines.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "simulate/graph.hpp"

namespace kasuri::simulate {
namespace {

constexpr int cluster_cores = 64;

[[noreturn]] void refuse(const std::string& name) {
  throw bad_value("--machine " + name +
                  ": not known; accepted: CORESxNODES with at least a core in each node (48x8), "
                  "CORESxNODESxRANKS with at least a node in each rank (256x8x4), opteron-6172, "
                  "xeon-phi, CORES=cluster, a synthetic description of hwloc");
}

std::optional<int> number(std::string_view text) {
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < 1 || n > most_workers)
    return std::nullopt;
  return n;
}

/// Cores, nodes and perhaps ranks in "48x8" or "256x8x4". Refuses everything else.
std::vector<int> sizes_in(const std::string& name) {
  std::vector<int> all;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find('x', from), name.size());
    const auto size = number(std::string_view(name).substr(from, to - from));
    if (!size || (!all.empty() && *size > all.back())) refuse(name);
    all.push_back(*size);
    from = to + 1;
  }
  if (all.size() != 2 && all.size() != 3) refuse(name);
  return all;
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
  const std::vector<int> sizes = sizes_in(name);
  if (sizes.size() == 2) return tree(sizes[0], 1, sizes[1], 1);
  // Ranks of a like number of nodes, as far as that is possible.
  return tree(sizes[0], 1, sizes[1], (sizes[1] + sizes[2] - 1) / sizes[2]);
}

cost_model costs_of(const std::string& machine) {
  cost_model c;
  const bool has_three_sizes = machine.find(':') == std::string::npos &&
                               machine.find_first_not_of("0123456789x") == std::string::npos &&
                               std::ranges::count(machine, 'x') == 2;
  if (!machine.ends_with("=cluster") && !has_three_sizes) return c;
  c.has_ranks = true;
  c.letter = 3'000;
  return c;
}

}  // namespace kasuri::simulate
