// SPDX-License-Identifier: Apache-2.0
#include "numa/nodes.hpp"

#include <algorithm>
#include <cerrno>

#include "platform/memory/numa_memory.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace numa {
namespace {

/// A value at a place of a vector that grows as needed.
void put(std::vector<std::int16_t>& into, int at, int value) {
  if (at < 0) return;
  const auto place = static_cast<std::size_t>(at);
  if (place >= into.size()) into.resize(place + 1, -1);
  into[place] = static_cast<std::int16_t>(value);
}

int get(const std::vector<std::int16_t>& from, int at) noexcept {
  return at >= 0 && static_cast<std::size_t>(at) < from.size() ? from[static_cast<std::size_t>(at)]
                                                               : -1;
}

int count_cpus(const platform::topology& machine, int number) {
  return static_cast<int>(std::ranges::count(machine.pus, number, &platform::pu::numa_node));
}

}  // namespace

node_map::node_map(const platform::topology& machine) : real_(machine.is_this_machine) {
  // A machine without structure does not say how much memory it has; its one node has all.
  const bool flat = !machine.has_structure;
  for (const platform::numa_node& n : machine.numa_nodes)
    if (flat || (n.allowed && n.memory_bytes != 0))
      nodes_.push_back({n.os_index, count_cpus(machine, n.os_index), n.memory_bytes});
  if (nodes_.empty()) nodes_.push_back({0, static_cast<int>(machine.pus.size()), 0});
  for (const node& n : nodes_) {
    put(index_, n.number, static_cast<int>(numbers_.size()));
    numbers_.push_back(n.number);
    if (n.cpus != 0) round_.push_back(n.number);
  }
  if (round_.empty()) round_ = numbers_;
  for (const platform::pu& unit : machine.pus) put(of_cpu_, unit.os_index, unit.numa_node);
}

int node_map::index_of(int number) const noexcept { return get(index_, number); }

int node_map::nearest_to(int cpu) const noexcept {
  const int number = get(of_cpu_, cpu);
  return index_of(number) >= 0 ? number : numbers_.front();
}

const node_map& this_machine() {
  static const node_map& map = []() -> const node_map& {
    const int kept = errno;  // of the program, which may only have looked up an address
    const auto* made = new node_map(platform::machine_topology());
    errno = kept;
    return *made;
  }();
  return map;
}

std::span<const node> nodes() { return this_machine().all(); }

int this_node() noexcept {
  const node_map& map = this_machine();
  return map.has_choice() ? map.nearest_to(platform::this_cpu()) : map.numbers().front();
}

}  // namespace numa
}  // namespace kasuri
