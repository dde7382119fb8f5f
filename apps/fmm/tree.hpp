// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <kasuri/global/vector.hpp>

#include "fmm/bodies.hpp"
#include "fmm/expansion.hpp"

/// An octree over sorted bodies, in arrays in global memory: the cells of a subtree are
/// consecutive, as its bodies are, so that neighbours in space lie on the same rank.
namespace fmm {

struct cell {
  point centre;
  double radius;  ///< all bodies of the cell are within
  std::uint64_t first_body;
  std::uint32_t bodies;
  std::uint32_t children;
  std::array<std::uint32_t, 8> child;  ///< indices of cells

  bool leaf() const { return children == 0; }
};

struct parameters {
  int order;
  double theta;        ///< cells are far when their radii are below theta times their distance
  std::uint32_t leaf;  ///< most bodies of a leaf, above the deepest level
  std::uint32_t task;  ///< most bodies of a subtree that one worker treats alone
};

struct tree {
  cube around;
  global::view<body> bodies;
  global::view<cell> cells;         ///< cell 0 is the root
  global::view<double> multipoles;  ///< kept_terms() of each cell
  parameters p;
};

// Called inside global::run.

/// How many cells the tree over sorted bodies has.
std::uint32_t count_cells(global::view<body> sorted, const parameters& p);

/// Makes the cells and their multipoles.
void build(const tree& t);

}  // namespace fmm
