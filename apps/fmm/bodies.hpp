// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <kasuri/global/vector.hpp>

#include "fmm/expansion.hpp"

/// The bodies: their places, and their order along a curve through the octants.
namespace fmm {

namespace global = kasuri::global;

struct body {
  std::uint64_t key;  ///< 21 bits of each coordinate, interlaced: 3 bits a level of the tree
  point at;
  double mass;
};

/// The cube around all bodies.
struct cube {
  point corner;
  double side;
};

enum class distribution {
  cube,     ///< even in a cube
  sphere,   ///< even on the surface of a sphere
  plummer,  ///< Plummer's model of a star cluster, cut off at ten scale lengths
};

inline constexpr int deepest_level = 21;

/// Body i of n, of the same total mass whatever n is.
body make_body(distribution d, std::uint64_t seed, std::size_t i, std::size_t n);

/// The octant, 0 to 7, in which a key lies at a level; the root's octants are level 0.
constexpr unsigned octant_of(std::uint64_t key, int level) {
  return static_cast<unsigned>(key >> (3 * (deepest_level - 1 - level))) & 7;
}

// Called inside global::run.

void make_bodies(global::view<body> all, distribution d, std::uint64_t seed);
cube cube_around(global::view<body> all);
/// Keys in the cube; then the bodies in order of their keys. `spare` is as long.
void sort_bodies(global::view<body> all, global::view<body> spare, const cube& around);

}  // namespace fmm
