// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <memory>

#include "problem.hpp"
#include "uts/problem.hpp"

namespace quickstart {
namespace {

using bench::uts::count;
using bench::uts::node;

constexpr int depth = bench::uts::problem::t1_depth;

count search(const node& n);

/// The subtrees of the children from `first` on: one is searched here, the rest may be stolen.
count search_children(const node& n, int first, int end) {
  if (first == end) return {};
  auto [one, rest] =
      kasuri::parallel_invoke([=, &n] { return search(bench::uts::child(n, first)); },
                              [=, &n] { return search_children(n, first + 1, end); });
  return one + rest;
}

count search(const node& n) {
  const int children = bench::uts::children(n, depth);
  return bench::uts::itself(n, children) + search_children(n, 0, children);
}

}  // namespace

problem tree_search_problem() {
  auto found = std::make_shared<count>();
  return {.name = "tree search",
          .size = "UTS T1, SHA-1, depth 10",
          .prepare = [=] { *found = {}; },
          .serial = [=] { *found = bench::uts::walk(bench::uts::root(), depth); },
          .parallel = [=] { *found = search(bench::uts::root()); },
          .right = [=] { return *found == count{4'130'071, 3'305'118, 10}; },
          .checked = "4,130,071 nodes, 3,305,118 leaves, depth 10"};
}

}  // namespace quickstart
