// SPDX-License-Identifier: Apache-2.0
#pragma once

// The forks of one stack that have not been joined, for a program that runs on several ranks.
//
// Only code on that stack, of which there is one at a time, touches the chain. Any of its forks may
// be given to other ranks; that begins with the oldest, which stands for the most work.

namespace kasuri::global::detail {

struct offer;

struct fork_chain {
  offer* newest = nullptr;
  /// The oldest that was not given to others yet. Those before it may be gone; null: none.
  offer* waiting = nullptr;
  /// The ranks that the task that runs owns, as a part [low, high) of the line of all ranks; equal
  /// where it owns no more than a part of this one.
  double low = 0;
  double high = 0;
};

}  // namespace kasuri::global::detail
