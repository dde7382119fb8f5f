// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The forks of one stack that have not been joined, for a program that runs on several ranks.
//
// Only code on that stack, of which there is one at a time, touches the chain. Any of its forks may
// be given to other ranks; that begins with the oldest, which stands for the most work.

namespace kasuri::global::detail {

struct offer;

/// Under checks: a task that a stack was given to run, beginning below all forks that the stack
/// makes for it.
struct given_task {
  std::uint64_t number;     // 0: none that is known
  std::uint32_t forks = 0;  // that it has behind it
  offer* below = nullptr;   // the stack's newest fork before
  given_task* before = nullptr;
};

struct fork_chain {
  offer* newest = nullptr;
  /// The oldest that was not given to others yet. Older ones may be gone; null: none.
  offer* waiting = nullptr;
  /// The ranks that the task that runs owns, as a part [low, high) of the line of all ranks; equal
  /// where it owns no more than a part of this one.
  double low = 0;
  double high = 0;
  /// Under checks: the last that was given to this stack and has not ended.
  given_task* given = nullptr;
};

}  // namespace kasuri::global::detail
