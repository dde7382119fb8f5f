// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_where.hpp"

#include <algorithm>
#include <limits>

namespace kasuri::omp {
namespace {

// More than these say the same, and each costs a look-up.
constexpr std::size_t most_asked = 32;

bool writes(const dependence& d) noexcept {
  return d.kind != dependence_kind::in && d.kind != dependence_kind::all_memory;
}

}  // namespace

int node_of_most(std::span<const void* const> addresses, node_lookup node) noexcept {
  const std::size_t count = std::min(addresses.size(), most_asked);
  int nodes[most_asked];
  int best = -1;
  std::ptrdiff_t votes = 0;
  for (std::size_t i = 0; i != count; ++i) nodes[i] = node(addresses[i]);
  for (std::size_t i = 0; i != count; ++i) {
    const std::ptrdiff_t mine = std::count(nodes, nodes + count, nodes[i]);
    if (nodes[i] < 0 || mine <= votes) continue;
    best = nodes[i];
    votes = mine;
  }
  return best;
}

int where_by_dependences(std::span<const dependence> on, node_lookup node) noexcept {
  const void* reads[most_asked];
  std::size_t count = 0;
  for (const dependence& d : on) {
    if (writes(d)) {
      if (const int found = node(d.address); found >= 0) return found;
    } else if (d.kind == dependence_kind::in && count != most_asked) {
      reads[count++] = d.address;
    }
  }
  return node_of_most({reads, count}, node);
}

int inherited_where(const explicit_task& t) noexcept {
  return t.parent->implicit ? -1 : static_cast<const explicit_task*>(t.parent)->where;
}

int where_of(const explicit_task& t, std::span<const dependence> on, node_lookup node) noexcept {
  const int inherited = inherited_where(t);
  return inherited >= 0 ? inherited : where_by_dependences(on, node);
}

std::int8_t as_where(int node) noexcept {
  return static_cast<std::int8_t>(node <= std::numeric_limits<std::int8_t>::max() ? node : -1);
}

}  // namespace kasuri::omp
