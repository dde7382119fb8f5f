// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "platform/cpu/cpus.hpp"
#include "platform/cpu/topology_sys.hpp"

namespace kasuri::platform {
namespace {

void cut_to_affinity(std::vector<pu>& pus) {
  const std::vector<int> allowed = affinity_cpus();
  std::erase_if(
      pus, [&](const pu& unit) { return !std::ranges::binary_search(allowed, unit.os_index); });
}

}  // namespace

const char* variable_for_hwloc() noexcept {
  for (const char* name :
       {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT", "HWLOC_COMPONENTS"}) {
    if (std::getenv(name) != nullptr) {
      return name;
    }
  }
  return nullptr;
}

topology read_topology() {
  const bool by_hwloc = variable_for_hwloc() != nullptr;
  std::optional<topology> machine = by_hwloc ? read_hwloc() : read_sys();
  if (!machine) {
    return flat_topology();
  }
  if (machine->is_this_machine) {
    cut_to_affinity(machine->pus);
    // A container may show other files than the kernel's: no CPU is given up for their sake.
    if (!by_hwloc && machine->pus.size() != affinity_cpus().size()) {
      return flat_topology();
    }
  }
  const bool complete = !machine->pus.empty() && !machine->numa_nodes.empty();
  return complete ? *std::move(machine) : flat_topology();
}

topology flat_topology() {
  topology machine;
  machine.has_structure = false;
  for (const int cpu : affinity_cpus()) {
    machine.pus.push_back({.os_index = cpu, .core = cpu});
  }
  machine.numa_nodes.push_back({});
  return machine;
}

const topology& machine_topology() {
  static const topology& machine = *new const topology(read_topology());
  return machine;
}

closeness closeness_of(const pu& a, const pu& b) {
  const auto share = [](int x, int y) { return x == y && x != -1; };
  if (a.package != b.package) {
    return closeness::same_machine;
  }
  if (a.numa_node != b.numa_node) {
    return closeness::same_package;
  }
  if (a.os_index == b.os_index) {
    return closeness::same_pu;
  }
  if (share(a.core, b.core)) {
    return closeness::same_core;
  }
  return share(a.l3, b.l3) ? closeness::same_l3 : closeness::same_numa_node;
}

const pu& pu_of_worker(const topology& machine, int worker) {
  return machine.pus[static_cast<std::size_t>(worker) % machine.pus.size()];
}

std::vector<std::vector<int>> victim_order(const topology& machine, int worker, int workers) {
  constexpr auto levels = static_cast<std::size_t>(closeness::same_machine) + 1;
  std::vector<std::vector<int>> groups(levels);
  const pu& own = pu_of_worker(machine, worker);
  for (int step = 1; step < workers; ++step) {
    const int other = (worker + step) % workers;
    const closeness level = closeness_of(own, pu_of_worker(machine, other));
    groups[static_cast<std::size_t>(level)].push_back(other);
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

}  // namespace kasuri::platform
