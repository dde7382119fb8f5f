// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include "common/chosen_system.hpp"

/// Getting a task onto every worker at once, whatever the system.
namespace bench {

/// A binary tree of tasks with the leaves begin to end - 1; leaf(i) keeps its worker busy.
template <class Way, class Leaf>
void tree_of_leaves(int begin, int end, const Leaf& leaf) {
  if (end - begin == 1) {
    leaf(begin);
    return;
  }
  const int middle = begin + (end - begin) / 2;
  kasuri::model::fork_join<Way>(
      [middle, end, &leaf] { tree_of_leaves<Way>(middle, end, leaf); },
      [begin, middle, &leaf] { tree_of_leaves<Way>(begin, middle, leaf); });
}

/// Spins until `done()`; where there are fewer processors than workers, others get theirs.
template <class Done>
void spin_until(const Done& done) {
  for (long turn = 1; !done(); ++turn) {
    if (turn % 4096 == 0) std::this_thread::yield();
  }
}

/// Lets as many tasks as workers meet without leaving their workers.
class spinning_barrier {
 public:
  explicit spinning_barrier(int members) : missing_(members) {}

  void arrive_and_wait() {
    // pairs with the load below: what was done before the meeting is seen after it
    missing_.fetch_sub(1, std::memory_order_acq_rel);
    // pairs with the fetch_sub above
    spin_until([this] { return missing_.load(std::memory_order_acquire) == 0; });
  }

 private:
  std::atomic<int> missing_;
};

}  // namespace bench
