// SPDX-License-Identifier: Apache-2.0
#include "amr/simulation.hpp"

#include <limits>

#include "amr/phases.hpp"
#include "amr/relocation.hpp"
#include "amr/sweep.hpp"

namespace amr {

template <class Visitor>
typename Visitor::result simulation::run(Visitor visitor) {
  return sweep<Visitor>(visitor, lanes_, cut_off_, given_)(root_);
}

simulation::simulation(const problem& p, bool parallel, advice given)
    : problem_(p), cut_off_(parallel ? p.cut_off : std::numeric_limits<int>::max()), given_(given) {
  root_.is_leaf = true;
  root_.n_nodes = 1;
  root_.last_worker = this_worker();
  grow_to_least_level(root_);
  place_disc(root_, {});
  run(ghost(now_));
  for (int level = p.least_level; level < p.most_level; ++level) {
    adapt();
    place_disc(root_, {});
    run(ghost(now_));
  }
  for (lane& each : lanes_.all()) each.seen = {};
  balance_rounds_ = 0;
}

void simulation::grow_to_least_level(node& t) {
  if (t.level == problem_.least_level) return;
  split(t, now_, t.last_worker, lanes_.of(t.last_worker));
  t.n_nodes = 1;
  for (int i = 0; i < 4; ++i) {
    grow_to_least_level(t.child[i]);
    t.n_nodes += t.child[i].n_nodes;
  }
}

void simulation::place_disc(node& t, place at) {
  if (t.is_leaf) {
    t.value[now_] = problem::exact(at.centre_x(), at.centre_y(), 0);
  } else {
    for (int i = 0; i < 4; ++i) place_disc(t.child[i], at.child(i));
  }
}

void simulation::adapt() {
  const difference_sums sums = run(check(now_));
  run(remesh(problem_, sums, now_));
  balance();
}

void simulation::balance() {
  for (bool first = true; run(mark(++round_, first)); first = false) {
    run(split_marked(round_, now_));
    ++balance_rounds_;
  }
}

void simulation::step() {
  run(calculate(problem_, now_));
  now_ = 1 - now_;
  adapt();
  run(ghost(now_));
  ++steps_;
}

void simulation::relocate_blocks() {
  for (lane& each : lanes_.all()) each.pool.begin_relocation();
  relocation(given_, lanes_, cut_off_, root_)(root_);
  for (lane& each : lanes_.all()) each.pool.end_relocation();
}

std::array<visits, phases> simulation::seen() {
  std::array<visits, phases> sum{};
  for (const lane& each : lanes_.all()) {
    for (std::size_t i = 0; i < phases; ++i) {
      sum[i].all += each.seen[i].all;
      sum[i].same_worker += each.seen[i].same_worker;
    }
  }
  return sum;
}

double simulation::share_on_own_node() {
  std::uint64_t all = 0;
  std::uint64_t own = 0;
  const auto count = [&](const auto& self, const node& t) -> void {
    if (!t.is_leaf) {
      for (int i = 0; i < 4; ++i) self(self, t.child[i]);
      return;
    }
    ++all;
    own += kasuri::numa::node_of(&t) == lanes_.of(t.last_worker).numa_node ? 1 : 0;
  };
  count(count, root_);
  return static_cast<double>(own) / static_cast<double>(all);
}

std::size_t simulation::bytes() {
  std::size_t sum = 0;
  for (const lane& each : lanes_.all()) sum += each.pool.bytes();
  return sum;
}

}  // namespace amr
