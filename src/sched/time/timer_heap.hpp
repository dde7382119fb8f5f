// SPDX-License-Identifier: Apache-2.0
#pragma once

// Timers by their time: a leftist heap through the timers themselves. Adding, taking the first and
// taking any other out touch O(log n) of them each, in every case, so that the lock around is held
// shortly; and no call needs memory. Timers of the same time come in no particular order.
//
// Rejected: an array of pointers, because it grows while a thread leaves its stack and cannot fail;
// a pairing heap, because the first removal behind n additions touches all n under the lock; a
// wheel of slots, because it ticks.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

/// A timer's place in the heap.
template <class Node>
struct heap_links {
  Node* left = nullptr;
  Node* right = nullptr;
  Node* above = nullptr;
  std::uint32_t rank = 0;  // the shortest way down to where a child is missing, itself counted
};

/// Node derives from heap_links<Node> and has `when`. The caller has the lock.
template <class Node>
class timer_heap {
 public:
  bool empty() const noexcept { return root_ == nullptr; }
  /// The one with the least `when`; null when there is none.
  Node* first() const noexcept { return root_; }

  void add(Node* n) noexcept {
    static_cast<heap_links<Node>&>(*n) = {.rank = 1};
    root_ = merged(root_, n);
    root_->above = nullptr;
  }

  /// `n` is in the heap.
  void remove(Node* n) noexcept {
    KASURI_EXPECT(cheap, n->above != nullptr || n == root_, "timer %p is not in the heap",
                  static_cast<void*>(n));
    Node* const below = merged(n->left, n->right);
    Node* const above = n->above;
    if (below != nullptr) below->above = above;
    if (above == nullptr) {
      root_ = below;
      return;
    }
    (above->left == n ? above->left : above->right) = below;
    for (Node* at = above; at != nullptr; at = at->above)
      if (!settle(at)) return;
  }

  /// Forgets all, and touches none.
  void forget() noexcept { root_ = nullptr; }

  /// For tests: whether each is later than the one above, and the ranks are right.
  bool is_sound() const noexcept { return is_sound(root_, nullptr); }

 private:
  static std::uint32_t rank_of(const Node* n) noexcept { return n == nullptr ? 0 : n->rank; }

  /// Puts the longer side left and notes the rank. Returns whether that was another.
  static bool settle(Node* n) noexcept {
    if (rank_of(n->left) < rank_of(n->right)) std::swap(n->left, n->right);
    const std::uint32_t rank = rank_of(n->right) + 1;
    return std::exchange(n->rank, rank) != rank;
  }

  /// One heap of two. Goes down the right sides only, which are short.
  static Node* merged(Node* a, Node* b) noexcept {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    if (b->when < a->when) std::swap(a, b);
    a->right = merged(a->right, b);
    a->right->above = a;
    settle(a);
    return a;
  }

  static bool is_sound(const Node* n, const Node* above) noexcept {
    if (n == nullptr) return true;
    return n->above == above && (above == nullptr || above->when <= n->when) &&
           rank_of(n->left) >= rank_of(n->right) && n->rank == rank_of(n->right) + 1 &&
           is_sound(n->left, n) && is_sound(n->right, n);
  }

  Node* root_ = nullptr;
};

}  // namespace kasuri::sched
