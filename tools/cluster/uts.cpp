// SPDX-License-Identifier: Apache-2.0
// Unbalanced tree search (Olivier et al., LCPC 2006): a geometric tree of fixed shape, mean 4
// children, whose nodes are hashes. A node costs what SHA-1 costs for each child; the hash here is
// a cheaper one, so that trees of 10^8 nodes can be simulated.

#include <algorithm>
#include <cmath>

#include "kasuri/global/invoke.hpp"
#include "machine.hpp"

namespace kasuri::tools::cluster {
namespace {

constexpr int max_children = 100;

std::uint64_t hash(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct tree {
  int depth;
  std::uint64_t node_ns;
};

int children(std::uint64_t state, int level, const tree& t) {
  if (level >= t.depth) return 0;
  const double uniform = static_cast<double>(state >> 33) / 2147483648.0;
  return std::min(static_cast<int>(std::floor(std::log(1 - uniform) / std::log(0.8))),
                  max_children);
}

long walk(std::uint64_t state, int level, tree t);

long walk_children(std::uint64_t state, int level, int from, int to, tree t) {
  if (to - from == 1) return walk(hash(state + static_cast<std::uint64_t>(from)), level + 1, t);
  const int middle = (from + to) / 2;
  const auto [a, b] =
      global::parallel_invoke([=] { return walk_children(state, level, from, middle, t); },
                              [=] { return walk_children(state, level, middle, to, t); });
  return a + b;
}

long walk(std::uint64_t state, int level, tree t) {
  compute(t.node_ns);
  const int n = children(state, level, t);
  return n == 0 ? 1 : 1 + walk_children(state, level, 0, n, t);
}

long nodes = 0;

}  // namespace

measured uts(const setup& s) {
  return run(
      s, [](kasuri::cluster::memory&) {},
      [](const setup& how) {
        const tree t{how.size > 0 ? static_cast<int>(how.size) : 13,
                     how.leaf_ns > 0 ? how.leaf_ns : 110};
        // Of the seeds those with a tree of about the mean size: the first levels decide.
        std::uint64_t root = hash(how.seed);
        while (children(root, 0, t) < 4 || children(root, 0, t) > 6) root = hash(root);
        nodes = walk(root, 0, t);
      });
}

}  // namespace kasuri::tools::cluster
