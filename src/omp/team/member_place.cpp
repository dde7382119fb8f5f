// SPDX-License-Identifier: Apache-2.0
#include "omp/team/member_place.hpp"

#include <vector>

#include "omp/env/environment.hpp"
#include "omp/place/nodes.hpp"
#include "omp/place/places.hpp"
#include "omp/team/root.hpp"
#include "platform/base/expect.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/memory/numa_memory.hpp"
#include "platform/settings/settings.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::omp {
namespace {

// Of worker::bound_to: to its node, or the kernel refused that.
constexpr int to_node = -2;
constexpr int refused = -3;

/// The CPUs nearest to a node, by the kernel's numbers.
std::vector<int> cpus_of_node(int number) {
  std::vector<int> cpus;
  for (const platform::pu& unit : platform::machine_topology().pus)
    if (unit.numa_node == number) cpus.push_back(unit.os_index);
  return cpus;
}

void keep_on_node(sched::worker& w) noexcept {
  if (w.bound_to != -1 || w.stats.role != record::worker_role::worker) return;
  if (environment().affinity.given || platform::current_settings().bind) return;
  const int number = w.home->nodes()[static_cast<std::size_t>(w.node)];
  w.bound_to = platform::bind_to_cpus(cpus_of_node(number)) ? to_node : refused;
}

bool cannot_leave(const sched::worker& w) noexcept {
  if (w.bound_to >= 0) return place_is_within_a_node(w.bound_to);
  const bool pinned = platform::current_settings().bind && w.cell >= 0;
  return w.bound_to == to_node || pinned;
}

void note_node(member& m, int node) noexcept {
  const int before = m.tasks.node.load(std::memory_order_relaxed);
  if (before == node) return;
  task_mail& mail = *m.in->mail;
  KASURI_EXPECT(cheap, node >= 0 && node < mail.nodes(), "member %d is on node %d of %d", m.number,
                node, mail.nodes());
  if (before >= 0) mail.at(before).members.fetch_sub(1, std::memory_order_relaxed);
  mail.at(node).members.fetch_add(1, std::memory_order_relaxed);
  m.tasks.node.store(node, std::memory_order_relaxed);
}

}  // namespace

void bind_thread_to_place(const member& m) noexcept {
  KASURI_EXPECT(cheap, m.places.bound >= m.places.first && m.places.count > 0,
                "member %d is bound to place %d of %d from %d", m.number, m.places.bound,
                m.places.count, m.places.first);
  sched::worker* const w = sched::current();
  if (w == nullptr && m.in->nest.level == 0) return;
  int& bound = w != nullptr ? w->bound_to : m.of->bound_to;
  if (bound != m.places.bound && bind_os_thread(m.places.bound)) bound = m.places.bound;
}

void settle_on_node(member& m) noexcept {
  sched::worker* const w = sched::current();
  if (w != nullptr) keep_on_node(*w);
  m.tasks.stays_on_node = w != nullptr && cannot_leave(*w);
  m.tasks.idle.end();
  note_node(m, node_nearest_to(platform::this_cpu()));
}

int node_of(member& m) noexcept {
  if (!m.tasks.stays_on_node) note_node(m, node_nearest_to(platform::this_cpu()));
  return m.tasks.node.load(std::memory_order_relaxed);
}

}  // namespace kasuri::omp
