// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <kasuri/kasuri.hpp>
#include <tuple>
#include <utility>

#include "amr/node.hpp"

/// All that the application tells the runtime about where its tasks should run.
namespace amr {

/// What the runtime is told of the four subtrees below a node.
enum class advice {
  shares,  ///< their sizes: almost deterministic work stealing divides the workers like that
  hints,   ///< what steal_largest_own reads
  nodes,   ///< the NUMA nodes on which their memory lies
};

/// The calling worker's index, -1 outside.
inline int this_worker() noexcept { return kasuri::this_task::worker(); }

/// The subtrees that a thief takes at once, and who visited the first of them last.
struct steal_hint {
  std::int32_t n_nodes;
  std::int32_t last_worker;
};

/// Installs the customised stealing of Nakashima, Kono, Taura (IPSJ 2013, section 5): the frames
/// whose hint names the thief come first, then all others; among them the one with most nodes. A
/// frame that turns out to have fewer nodes than its hint said, or no longer names the thief, stays
/// where it is.
void steal_largest_own() noexcept;

namespace detail {

template <class Visit>
using each_result = std::array<decltype(std::declval<Visit&>()(0)), 4>;

/// Where a child's own children lie; a leaf stays with its parent.
inline kasuri::where place_of(const node& t) noexcept {
  return t.child == nullptr ? kasuri::where{} : kasuri::near(t.child);
}

inline steal_hint hint_from(const node* children, std::size_t first) noexcept {
  steal_hint h{0, children[first].last_worker};
  for (std::size_t i = first; i < 4; ++i) h.n_nodes += children[i].n_nodes;
  return h;
}

template <std::size_t First, class Visit>
void fork_hinted(const node* children, Visit& visit, each_result<Visit>& results) {
  if constexpr (First == 3) {
    results[3] = visit(3);
  } else {
    kasuri::parallel_invoke([&] { results[First] = visit(static_cast<int>(First)); },
                            kasuri::hinted(hint_from(children, First + 1), [&] {
                              fork_hinted<First + 1>(children, visit, results);
                            }));
  }
}

/// The four visits as what `wrap(i, visit)` makes of them.
template <class Visit, class Wrap>
each_result<Visit> fork_wrapped(Visit& visit, Wrap wrap) {
  auto r =
      kasuri::parallel_invoke(wrap(0, [&] { return visit(0); }), wrap(1, [&] { return visit(1); }),
                              wrap(2, [&] { return visit(2); }), wrap(3, [&] { return visit(3); }));
  return std::apply([](auto... each) { return each_result<Visit>{each...}; }, std::move(r));
}

}  // namespace detail

/// visit(i) for the four children in parallel, child i at `places[i]`; their results in order.
template <class Visit>
auto fork_at(const std::array<kasuri::where, 4>& places, Visit&& visit) {
  return detail::fork_wrapped(
      visit, [&](std::size_t i, auto call) { return kasuri::at(places[i], std::move(call)); });
}

/// visit(i) for the four children in parallel; their results in order.
template <class Visit>
auto fork(advice given, const node* children, Visit&& visit) {
  if (given == advice::hints) {
    detail::each_result<Visit> results;
    detail::fork_hinted<0>(children, visit, results);
    return results;
  }
  if (given == advice::nodes)
    return fork_at({detail::place_of(children[0]), detail::place_of(children[1]),
                    detail::place_of(children[2]), detail::place_of(children[3])},
                   visit);
  return detail::fork_wrapped(visit, [&](std::size_t i, auto call) {
    return kasuri::share(children[i].n_nodes, std::move(call));
  });
}

}  // namespace amr
