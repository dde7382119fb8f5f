// SPDX-License-Identifier: Apache-2.0
#include "amr/relocation.hpp"

#include <algorithm>
#include <array>

#include "amr/sweep.hpp"

namespace amr {
namespace {

void move_children(node& t, int worker, lane& mine) {
  t.last_worker = worker;
  if (t.child == nullptr) return;
  node* const block = mine.pool.allocate();
  std::copy_n(t.child, 4, block);
  t.child = block;
}

}  // namespace

relocation::relocation(advice given, lanes& all, int cut_off, const node& root)
    : given_(given), lanes_(all), cut_off_(cut_off), n_nodes_(root.n_nodes) {
  for (const kasuri::numa::node& each : kasuri::numa::nodes())
    if (each.cpus > 0) numbers_.push_back(each.number);
}

kasuri::where relocation::place_of(std::int64_t position) const noexcept {
  const auto count = static_cast<std::int64_t>(numbers_.size());
  if (count == 0) return {};
  return kasuri::on_node(numbers_[static_cast<std::size_t>(position * count / n_nodes_)]);
}

/// @param first  position of `t` in the tree's order
void relocation::visit(node& t, std::int64_t first) {
  const int worker = this_worker();
  lane& mine = lanes_.of(worker);
  if (t.n_nodes <= cut_off_) return visit_serially(t, worker, mine);
  mine.numa_node = kasuri::numa::this_node();
  move_children(t, worker, mine);
  std::array<std::int64_t, 4> from{first + 1};
  for (std::size_t i = 1; i < 4; ++i) from[i] = from[i - 1] + t.child[i - 1].n_nodes;
  const auto child = [&](int i) {
    visit(t.child[i], from[static_cast<std::size_t>(i)]);
    return nothing{};
  };
  if (given_ == advice::nodes)
    fork_at({place_of(from[0]), place_of(from[1]), place_of(from[2]), place_of(from[3])}, child);
  else
    fork(given_, t.child, child);
}

// No call in here can block: worker and lane stay the caller's.
void relocation::visit_serially(node& t, int worker, lane& mine) {
  move_children(t, worker, mine);
  if (t.is_leaf) return;
  for (int i = 0; i < 4; ++i) visit_serially(t.child[i], worker, mine);
}

}  // namespace amr
