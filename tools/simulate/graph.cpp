// SPDX-License-Identifier: Apache-2.0
#include "simulate/graph.hpp"

#include <algorithm>

namespace kasuri::simulate {

std::uint32_t graph::add(const graph_node& n) {
  graph_node& added = nodes_.emplace_back(n);
  added.low = n.block < 0 ? 0 : n.block;
  added.high = n.block;
  added.total = n.work + n.loop_work;
  bool none = n.block < 0;
  for (const std::uint32_t i : {n.first, n.second, n.next}) {
    if (i == no_node) continue;
    const graph_node& below = nodes_[i];
    added.total += below.total;
    if (below.low > below.high) continue;
    added.low = none ? below.low : std::min(added.low, below.low);
    added.high = none ? below.high : std::max(added.high, below.high);
    none = false;
  }
  blocks_ = std::max(blocks_, added.high + 1);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t graph::leaf(double work, std::int32_t block) {
  return add({.work = work, .block = block});
}

std::uint32_t graph::fork(double work, std::uint32_t first, std::uint32_t second,
                          std::uint32_t next) {
  ++forks_;
  return add({.work = work, .first = first, .second = second, .next = next});
}

// More iterations than these are told together: a worker runs up to 2048 at once.
constexpr std::uint64_t most_iterations = 256 * 2048;

std::uint32_t graph::loop(double work, std::uint64_t iterations, const longest_iteration& longest,
                          std::uint32_t next) {
  const auto count =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(iterations, 1, most_iterations));
  return add(
      {.next = next,
       .iterations = count,
       .loop_work = work,
       .longest = std::clamp(longest.work, work / count, work),
       .longest_at = std::min(count - 1, static_cast<std::uint32_t>(longest.place * count))});
}

double graph::time_of(const graph_node& n, std::uint32_t begin, std::uint32_t end) const noexcept {
  if (n.iterations == 1) return n.loop_work;
  const double each = (n.loop_work - n.longest) / (n.iterations - 1);
  return each * (end - begin) +
         (begin <= n.longest_at && n.longest_at < end ? n.longest - each : 0);
}

std::uint32_t graph::step(double work, std::uint32_t next) {
  return add({.work = work, .next = next});
}

void graph::announce_work() {
  for (graph_node& n : nodes_) {
    if (n.first == no_node) continue;
    n.first_share = static_cast<float>(nodes_[n.first].total);
    n.second_share = static_cast<float>(nodes_[n.second].total);
  }
}

void graph::set_root(std::uint32_t root) { root_ = root; }

double graph::longest_path() const {
  std::vector<double> path(nodes_.size());
  for (std::size_t i = 0; i != nodes_.size(); ++i) {
    const graph_node& n = nodes_[i];
    path[i] = n.work + n.longest;
    if (n.first != no_node) path[i] += std::max(path[n.first], path[n.second]);
    if (n.next != no_node) path[i] += path[n.next];
  }
  return path[root_];
}

}  // namespace kasuri::simulate
