// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>

#include "amr/lanes.hpp"
#include "amr/node.hpp"
#include "amr/placement.hpp"

/// One visit of every node, parents around their children, in parallel where a subtree has more
/// nodes than the cut-off.
///
/// A visit is handed its neighbours: they are found on the way down, from those of the parent, so
/// that no node needs to know where it is. The paper (Nakashima, Kono, Taura, IPSJ 2013) recurses
/// into the children and then along the faces between them instead; here each cell gathers what it
/// needs, so every write has one owner and the result depends on no order.
namespace amr {

/// What a sweep sees of neighbours.
enum class sight {
  none,    ///< nothing: it changes the tree itself
  cells,   ///< nodes of the tree: of the same level, or a coarser leaf
  ghosts,  ///< always of the same level: ghosts where the cell beside is coarser
};

/// The neighbours of a node; of leaves at the edge of the domain those across (it is periodic).
struct around {
  const node* west;
  const node* east;
  const node* south;
  const node* north;
};

enum corner { south_west, south_east, north_west, north_east };

/// The result of sweeps that have none.
struct nothing {};

/// A visitor of a sweep over nodes:
///   using result;                                  combined up the tree in the tree's order
///   static constexpr sight sees;
///   bool skip(const node&, const around&)          leaves a subtree out; its result is result{}
///   void enter(node&, int worker, lane&)           before the children, leaves too
///   result leaf(node&, const around&, int worker, lane&)
///   result join(node&, const std::array<result, 4>&, lane&)   after the children
template <class Visitor>
class sweep {
 public:
  using result = typename Visitor::result;

  sweep(Visitor& visitor, lanes& all, int cut_off, advice given)
      : visitor_(visitor), lanes_(all), cut_off_(cut_off), given_(given) {}

  result operator()(node& root) { return visit(root, {&root, &root, &root, &root}); }

 private:
  static const node* below(const node* neighbour, corner place) {
    if constexpr (Visitor::sees == sight::cells) {
      if (neighbour->is_leaf) return neighbour;
    }
    assert(neighbour->child != nullptr);
    return neighbour->child + place;
  }

  static around around_child(const node& t, const around& a, int child) {
    if constexpr (Visitor::sees == sight::none) return {};
    const node* const c = t.child;
    switch (child) {
      case south_west:
        return {below(a.west, south_east), c + south_east, below(a.south, north_west),
                c + north_west};
      case south_east:
        return {c + south_west, below(a.east, south_west), below(a.south, north_east),
                c + north_east};
      case north_west:
        return {below(a.west, north_east), c + north_east, c + south_west,
                below(a.north, south_west)};
      default:
        return {c + north_west, below(a.east, north_west), c + south_east,
                below(a.north, south_east)};
    }
  }

  result visit(node& t, const around& a) {
    const int worker = this_worker();
    lane& mine = lanes_.of(worker);
    if (t.n_nodes <= cut_off_) return visit_serially(t, a, worker, mine);
    if (visitor_.skip(t, a)) return {};
    mine.numa_node = kasuri::numa::this_node();
    visitor_.enter(t, worker, mine);
    const auto parts =
        fork(given_, t.child, [&](int i) { return visit(t.child[i], around_child(t, a, i)); });
    return visitor_.join(t, parts, lanes_.of(this_worker()));  // which may be another one now
  }

  // No call in here can block: worker and lane stay the caller's.
  result visit_serially(node& t, const around& a, int worker, lane& mine) {
    if (visitor_.skip(t, a)) return {};
    visitor_.enter(t, worker, mine);
    if (t.is_leaf) return visitor_.leaf(t, a, worker, mine);
    std::array<result, 4> parts;
    for (int i = 0; i < 4; ++i)
      parts[static_cast<std::size_t>(i)] =
          visit_serially(t.child[i], around_child(t, a, i), worker, mine);
    return visitor_.join(t, parts, mine);
  }

  Visitor& visitor_;
  lanes& lanes_;
  const int cut_off_;
  const advice given_;
};

/// What phases have in common: every node is counted under the phase and remembers who visited it.
template <phase Phase, sight Sees>
struct phase_visitor {
  using result = nothing;
  static constexpr sight sees = Sees;

  bool skip(const node&, const around&) const noexcept { return false; }

  void enter(node& t, int worker, lane& mine) const noexcept {
    visits& seen = mine.seen[static_cast<std::size_t>(Phase)];
    ++seen.all;
    seen.same_worker += t.last_worker == worker ? 1 : 0;
    t.last_worker = worker;
  }

  nothing join(node&, const std::array<nothing, 4>&, lane&) const noexcept { return {}; }
};

}  // namespace amr
