// SPDX-License-Identifier: Apache-2.0
#pragma once

// A list of nodes that any thread adds to and any thread walks, without a lock. A node stays until
// its list has ended: so a walk meets each node that was added before it began.

#include <atomic>

#include "kasuri/detail/atomics.hpp"

namespace kasuri::cluster {

/// A node has a pointer `next`: to the one that was added before it, or null. A is the atomics,
/// which tests replace.
template <class Node, class A = kasuri::detail::real_atomics>
class kept_list {
 public:
  /// Any thread. The caller keeps the node until nobody walks the list any more.
  void add(Node& n) noexcept {
    Node* before = newest_.load(std::memory_order_relaxed);  // a link here, not followed
    do {
      n.next = before;
      // release: pairs with newest(): a thread that reads `&n` there sees what the caller wrote to
      // n, and what the threads that added the older nodes wrote to those.
    } while (!newest_.compare_exchange_weak(before, &n, std::memory_order_release,
                                            std::memory_order_relaxed));
  }

  /// Where a walk begins; null: there is no node. Any thread.
  [[nodiscard]] Node* newest() const noexcept {
    return newest_.load(std::memory_order_acquire);  // pairs with add()
  }

 private:
  typename A::template atomic<Node*> newest_{nullptr};
};

}  // namespace kasuri::cluster
