// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

/// Where a rank stands in the tree by which all ranks are reached: rank 0 is at its root, each rank
/// has at most `fan_out` children, and those below a rank are the ranks that follow it, so that
/// ranks of a host are near each other.
struct tree_place {
  static constexpr int fan_out = 16;

  int parent = -1;
  int seat = 0;               // which child of its parent it is
  std::vector<int> children;  // in rising order

  static tree_place of(int rank, int ranks) {
    KASURI_EXPECT(cheap, rank >= 0 && rank < ranks, "rank %d of %d in a tree", rank, ranks);
    tree_place place;
    int root = 0;
    int end = ranks;  // below the root are the ranks up to here
    while (root != rank) {
      const int below = end - root - 1;
      const int parts = std::min(fan_out, below);
      int seat = 0;
      while (seat + 1 != parts && part_begin(root, below, parts, seat + 1) <= rank) ++seat;
      place.parent = root;
      place.seat = seat;
      end = part_begin(root, below, parts, seat + 1);
      root = part_begin(place.parent, below, parts, seat);
    }
    const int below = end - rank - 1;
    const int parts = std::min(fan_out, below);
    for (int i = 0; i != parts; ++i) place.children.push_back(part_begin(rank, below, parts, i));
    return place;
  }

 private:
  static int part_begin(int root, int below, int parts, int i) {
    return root + 1 + below / parts * i + std::min(i, below % parts);
  }
};

}  // namespace kasuri::cluster
