// SPDX-License-Identifier: Apache-2.0
#include "omp/place/member_node.hpp"

#include <vector>

#include "numa/nodes.hpp"
#include "numa/place.hpp"
#include "omp/env/environment.hpp"
#include "omp/place/places.hpp"
#include "omp/team/team.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/memory/numa_memory.hpp"
#include "platform/settings/settings.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::omp {
namespace {

// Of worker::bound_to: to its node, or the kernel refused that.
constexpr int to_node = -2;
constexpr int refused = -3;

int index_of_cpu(int cpu) noexcept {
  const numa::node_map& map = numa::this_machine();
  return map.index_of(map.nearest_to(cpu));
}

/// The CPUs nearest to a node, by the kernel's numbers.
std::vector<int> cpus_of_node(int number) {
  std::vector<int> cpus;
  for (const platform::pu& unit : platform::machine_topology().pus)
    if (unit.numa_node == number) cpus.push_back(unit.os_index);
  return cpus;
}

void keep_on_node(sched::worker& w) noexcept {
  if (w.bound_to != -1 || w.stats.role != record::worker_role::worker) return;
  if (environment().binding_given || platform::current_settings().bind) return;
  const int number = w.home->nodes()[static_cast<std::size_t>(w.node)];
  w.bound_to = platform::bind_to_cpus(cpus_of_node(number)) ? to_node : refused;
}

/// By place: whether all its CPUs are nearest to one node.
const std::vector<bool>& places_within_a_node() {
  static const std::vector<bool>& all = *new const std::vector<bool>([] {
    std::vector<bool> within;
    for (const std::vector<int>& cpus : places()) {
      bool same = true;
      for (const int cpu : cpus) same = same && index_of_cpu(cpu) == index_of_cpu(cpus.front());
      within.push_back(same);
    }
    return within;
  }());
  return all;
}

bool cannot_leave(const sched::worker& w) noexcept {
  if (w.bound_to >= 0) return places_within_a_node()[static_cast<std::size_t>(w.bound_to)];
  const bool pinned = platform::current_settings().bind && w.cell >= 0;
  return w.bound_to == to_node || pinned;
}

void note_node(member& m, int node) noexcept {
  const int before = m.tasks.node.load(std::memory_order_relaxed);
  if (before == node) return;
  task_mail& mail = *m.in->mail;
  if (before >= 0) mail.at(before).members.fetch_sub(1, std::memory_order_relaxed);
  mail.at(node).members.fetch_add(1, std::memory_order_relaxed);
  m.tasks.node.store(node, std::memory_order_relaxed);
}

}  // namespace

bool has_nodes() noexcept {
  static const bool several = [] {
    const numa::node_map& map = numa::this_machine();
    return map.has_choice() && map.round().size() > 1;
  }();
  return several;
}

int node_count() noexcept { return static_cast<int>(numa::this_machine().all().size()); }

int node_that_holds(const void* address) noexcept {
  const int index = numa::node_index_or_wish(address);
  if (index < 0) return -1;
  return numa::this_machine().all()[static_cast<std::size_t>(index)].cpus != 0 ? index : -1;
}

void settle_on_node(member& m) noexcept {
  sched::worker* const w = sched::current();
  if (w != nullptr) keep_on_node(*w);
  m.tasks.stays_on_node = w != nullptr && cannot_leave(*w);
  m.tasks.idle.end();
  note_node(m, index_of_cpu(platform::this_cpu()));
}

int node_of(member& m) noexcept {
  if (!m.tasks.stays_on_node) note_node(m, index_of_cpu(platform::this_cpu()));
  return m.tasks.node.load(std::memory_order_relaxed);
}

}  // namespace kasuri::omp
