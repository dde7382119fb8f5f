// SPDX-License-Identifier: Apache-2.0
#include "amr/phases.hpp"

#include <algorithm>
#include <cmath>

namespace amr {
namespace {

/// Children of a node along one of its edges, as a neighbour beyond that edge meets them.
struct edge {
  corner first;
  corner second;
};
constexpr edge eastern = {south_east, north_east};
constexpr edge western = {south_west, north_west};
constexpr edge northern = {north_west, north_east};
constexpr edge southern = {south_west, south_east};

/// What lies beyond an edge of a cell: one value, or the mean of two finer cells.
double value_beyond(const node& neighbour, edge facing, int now) noexcept {
  if (neighbour.is_leaf) return neighbour.value[now];
  const node* const fine = neighbour.child;
  return 0.5 * (fine[facing.first].value[now] + fine[facing.second].value[now]);
}

bool finer_by_two(const node& neighbour, edge facing) noexcept {
  return !neighbour.is_leaf &&
         !(neighbour.child[facing.first].is_leaf && neighbour.child[facing.second].is_leaf);
}

void count_nodes(node& t) noexcept {
  t.n_nodes = 1 + t.child[0].n_nodes + t.child[1].n_nodes + t.child[2].n_nodes + t.child[3].n_nodes;
}

/// A block of leaves that copy `t`.
void fill(node* block, const node& t, int now, int worker) noexcept {
  for (int i = 0; i < 4; ++i) {
    node& c = block[i];
    c = node{};
    c.value[now] = t.value[now];
    c.n_nodes = 1;
    c.last_worker = worker;
    c.level = static_cast<std::uint8_t>(t.level + 1);
    c.is_leaf = true;
  }
}

}  // namespace

double difference_sums::mean() const noexcept { return sum / pairs; }

double difference_sums::deviation() const noexcept {
  return std::sqrt(std::max(0.0, squares / pairs - mean() * mean()));
}

void split(node& t, int now, int worker, lane& mine) {
  if (t.child == nullptr) t.child = mine.pool.allocate();  // else its ghosts become cells
  fill(t.child, t, now, worker);
  t.is_leaf = false;
  count_nodes(t);
}

calculate::calculate(const problem& p, int now) : now_(now) {
  for (int level = 0; level < static_cast<int>(courant_.size()); ++level)
    courant_[static_cast<std::size_t>(level)] = p.courant(level);
}

nothing calculate::leaf(node& t, const around& a, int, lane&) const noexcept {
  const double here = t.value[now_];
  const double west = value_beyond(*a.west, eastern, now_);
  const double south = value_beyond(*a.south, northern, now_);
  const double next = here - courant_[t.level] * ((here - west) + (here - south));
  t.value[1 - now_] = next;
  if (t.child != nullptr)
    for (int i = 0; i < 4; ++i) t.child[i].value[1 - now_] = next;
  return {};
}

difference_sums check::leaf(node& t, const around& a, int, lane&) const noexcept {
  difference_sums sums;
  double highest = 0;
  const auto pair = [&](const node& other) {
    const double difference = std::abs(t.value[now_] - other.value[now_]);
    sums.add(difference);
    highest = std::max(highest, difference);
  };
  const auto beyond = [&](const node& neighbour, edge facing) {
    if (neighbour.is_leaf) {
      pair(neighbour);
    } else {
      pair(neighbour.child[facing.first]);
      pair(neighbour.child[facing.second]);
    }
  };
  beyond(*a.west, eastern);
  beyond(*a.east, western);
  beyond(*a.south, northern);
  beyond(*a.north, southern);
  t.highest_diff = highest;
  t.beside_finer = t.child != nullptr;
  return sums;
}

remesh::remesh(const problem& p, const difference_sums& sums, int now)
    : problem_(p),
      now_(now),
      split_from_(sums.mean() + p.refine_above * sums.deviation()),
      merge_to_(sums.mean() + p.merge_below * sums.deviation()) {}

nothing remesh::leaf(node& t, const around&, int worker, lane& mine) const {
  t.n_nodes = 1;
  t.wants_merge = false;
  if (t.highest_diff > 0 && t.highest_diff >= split_from_) {  // an even field stays as it is
    if (t.level < problem_.most_level) split(t, now_, worker, mine);
  } else {
    t.wants_merge =
        t.highest_diff <= merge_to_ && !t.beside_finer && t.level > problem_.least_level;
  }
  return {};
}

nothing remesh::join(node& t, const std::array<nothing, 4>&, lane& mine) const noexcept {
  node* const c = t.child;
  if (!std::all_of(c, c + 4, [](const node& each) { return each.is_leaf && each.wants_merge; })) {
    count_nodes(t);
    return {};
  }
  t.value[now_] =
      0.25 * ((c[0].value[now_] + c[1].value[now_]) + (c[2].value[now_] + c[3].value[now_]));
  for (int i = 0; i < 4; ++i)
    if (c[i].child != nullptr) mine.pool.free(c[i].child);
  t.is_leaf = true;  // its children are ghosts until the ghost phase knows whether it needs any
  t.n_nodes = 1;
  t.wants_merge = false;
  return {};
}

bool mark::skip(const node& t, const around& a) const noexcept {
  if (first_) return false;
  const auto stays = [&](const node& each) { return each.changed != round_ - 1; };
  return stays(t) && stays(*a.west) && stays(*a.east) && stays(*a.south) && stays(*a.north);
}

bool mark::leaf(node& t, const around& a, int, lane&) const noexcept {
  const bool must_split = finer_by_two(*a.west, eastern) || finer_by_two(*a.east, western) ||
                          finer_by_two(*a.south, northern) || finer_by_two(*a.north, southern);
  if (must_split) t.marked = round_;
  return must_split;
}

bool mark::join(node& t, const std::array<bool, 4>& parts, lane&) const noexcept {
  const bool any = parts[0] || parts[1] || parts[2] || parts[3];
  if (any) t.marked = round_;
  return any;
}

nothing split_marked::leaf(node& t, const around&, int worker, lane& mine) const {
  split(t, now_, worker, mine);
  t.changed = round_;
  return {};
}

nothing split_marked::join(node& t, const std::array<nothing, 4>&, lane&) const noexcept {
  count_nodes(t);
  t.changed = round_;
  return {};
}

nothing ghost::leaf(node& t, const around& a, int worker, lane& mine) const {
  const bool wanted =
      !a.west->is_leaf || !a.east->is_leaf || !a.south->is_leaf || !a.north->is_leaf;
  if (wanted) {
    if (t.child == nullptr) t.child = mine.pool.allocate();
    fill(t.child, t, now_, worker);
  } else if (t.child != nullptr) {
    mine.pool.free(t.child);
    t.child = nullptr;
  }
  return {};
}

}  // namespace amr
