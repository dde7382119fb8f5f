// SPDX-License-Identifier: Apache-2.0
#pragma once

// The NUMA nodes as this floor needs them: those with memory for this process, by number and by
// index. The index, 0 to count - 1 in ascending order of numbers, is what the table of pages holds
// and what mailboxes are numbered by.

#include <cstdint>
#include <span>
#include <vector>

#include "kasuri/numa.hpp"
#include "platform/cpu/topology.hpp"

namespace kasuri::numa {

class node_map {
 public:
  explicit node_map(const platform::topology& machine);

  /// nodes().
  std::span<const node> all() const noexcept { return nodes_; }

  /// Numbers of the nodes; is_valid's argument.
  std::span<const int> numbers() const noexcept { return numbers_; }

  /// Numbers of those that distributions go round.
  std::span<const int> round() const noexcept { return round_; }

  /// Whether there is anything to choose: several nodes, of this machine and not of a described
  /// one.
  bool has_choice() const noexcept { return real_ && nodes_.size() > 1; }

  /// The index of a node, -1 for other numbers.
  int index_of(int number) const noexcept;

  /// The number of the node nearest to a CPU of the kernel's numbering; the first node's for
  /// others.
  int nearest_to(int cpu) const noexcept;

 private:
  std::vector<node> nodes_;
  std::vector<int> numbers_;
  std::vector<int> round_;
  std::vector<std::int16_t> index_;   // by number
  std::vector<std::int16_t> of_cpu_;  // number, by CPU
  bool real_ = true;
};

/// That of this process, read on first use. Thread-safe. Never destroyed.
[[gnu::visibility("hidden")]] const node_map& this_machine();

}  // namespace kasuri::numa
