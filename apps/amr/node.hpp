// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The quadtree. A node of level l is a square of side 2^-l; its children lie in one block, in the
/// order south-west, south-east, north-west, north-east. A leaf is a grid cell.
///
/// A leaf may have a block too: ghost cells, copies of its value one level down, for the finer
/// cells beside it. They are no part of the tree: no sweep visits them and n_nodes leaves them out.
///
/// Who touches what: in a sweep over the tree a node is written only by the visit of this node (its
/// children's block by the visit of the parent, before or after theirs). What a sweep reads of
/// neighbours it writes nowhere. So sweeps need no atomics, and their outcome depends on no order.
namespace amr {

struct alignas(64) node {    // a cache line each: visits by two workers never share one
  double value[2];           ///< this step's and the last one's, in turns
  double highest_diff;       ///< to the neighbours, absolute; set by check
  node* child;               ///< block of four: children, or a leaf's ghosts; or null
  std::int32_t n_nodes;      ///< of the subtree, this one included
  std::int32_t last_worker;  ///< that visited it last
  std::uint32_t marked;      ///< the round of balance in which it, or a node below, had to be split
  std::uint32_t changed;     ///< the round in which it, or a node below, was split
  std::uint8_t level;
  bool is_leaf;
  bool beside_finer;  ///< a leaf that has ghosts; set by check
  bool wants_merge;   ///< set by remesh
};

static_assert(sizeof(node) == 64);

}  // namespace amr
