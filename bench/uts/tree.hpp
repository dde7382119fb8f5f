// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "uts/sha1.hpp"

/// Unbalanced tree search: counts a tree that only a hash knows (Olivier et al., "UTS: An
/// Unbalanced Tree Search Benchmark", LCPC 2006). The tree is T1: geometric, fixed shape,
/// b0 = 4, depth 10, root seed 19.
namespace bench::uts {

inline constexpr std::uint32_t root_seed = 19;
inline constexpr double branching = 4.0;
inline constexpr int max_children = 100;

struct node {
  digest state;
  int depth;
};

/// Nodes and leaves of a subtree and the depth of its deepest node; + joins two subtrees.
struct count {
  long nodes = 0;
  long leaves = 0;
  int depth = 0;

  friend count operator+(const count& a, const count& b) {
    return {a.nodes + b.nodes, a.leaves + b.leaves, std::max(a.depth, b.depth)};
  }
  friend bool operator==(const count&, const count&) = default;
};

namespace detail {

inline void put_big_endian(std::uint8_t* at, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

inline std::uint32_t big_endian(const std::uint8_t* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | at[i];
  return value;
}

}  // namespace detail

inline node root() {
  std::array<std::uint8_t, 20> message{};
  detail::put_big_endian(message.data() + 16, root_seed);
  return {sha1(message), 0};
}

inline node child(const node& parent, int index) {
  std::array<std::uint8_t, 24> message;
  std::copy(parent.state.begin(), parent.state.end(), message.begin());
  detail::put_big_endian(message.data() + 20, static_cast<std::uint32_t>(index));
  return {sha1(message), parent.depth + 1};
}

/// Geometrically distributed with mean `branching`; the deepest level has none.
inline int children(const node& n, int max_depth) {
  if (n.depth >= max_depth) return 0;
  const std::uint32_t random = detail::big_endian(&n.state[16]) & 0x7fffffff;
  const double uniform = random / 2147483648.0;
  const double p = 1.0 / (1.0 + branching);
  const int number = static_cast<int>(std::floor(std::log(1 - uniform) / std::log(1 - p)));
  return std::min(number, max_children);
}

/// What a node is worth by itself.
inline count itself(const node& n, int number_of_children) {
  return {1, number_of_children == 0 ? 1 : 0, n.depth};
}

inline count walk(const node& n, int max_depth) {
  const int number = children(n, max_depth);
  count sum = itself(n, number);
  for (int i = 0; i < number; ++i) sum = sum + walk(child(n, i), max_depth);
  return sum;
}

}  // namespace bench::uts
