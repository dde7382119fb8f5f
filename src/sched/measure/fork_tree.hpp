// SPDX-License-Identifier: Apache-2.0
#pragma once

// What ran and how it was divided: the upper part of the tree of forks. A part with less work than
// the grain is kept as three sums; where there would be too many nodes, the grain doubles.
//
// Code between two forks, the forks, and what follows make a chain. The chains of the two sides of
// a fork hang on its node, so that any number of tasks makes a tree of bounded size.

#include <cstdint>
#include <utility>

#include "profile/base/sites.hpp"

namespace kasuri::sched {

/// A part of the program: its work and the longest path through it, in ticks, and its forks.
struct fork_sums {
  std::uint64_t work = 0;
  std::uint64_t span = 0;
  std::uint64_t forks = 0;

  /// This, and `next` behind it.
  void add(const fork_sums& next) noexcept {
    work += next.work;
    span += next.span;
    forks += next.forks;
  }
  /// This beside `other`.
  void join(const fork_sums& other) noexcept {
    work += other.work;
    span = span > other.span ? span : other.span;
    forks += other.forks;
  }
};

/// Of a loop: how many, and which is the longest. 0 iterations: there is no loop.
struct loop_shape {
  std::uint64_t iterations = 0;
  std::uint64_t longest_at = 0;
};

/// What ran before it, folded, and then a fork; or a loop; or nothing: the chain ends.
struct fork_tree_node {
  fork_sums before;
  fork_sums fork;   // of both sides; of a loop, with its longest iteration as span
  loop_shape loop;  // which has no sides
  fork_tree_node* first = nullptr;
  fork_tree_node* second = nullptr;
  fork_tree_node* next = nullptr;
  profile::site_id site = 0;
};

/// Owns its nodes. One thread at a time.
class fork_chain {
 public:
  fork_chain() noexcept = default;
  ~fork_chain() { clear(); }
  fork_chain(const fork_chain&) = delete;
  fork_chain& operator=(const fork_chain&) = delete;
  fork_chain(fork_chain&& from) noexcept { *this = std::move(from); }
  fork_chain& operator=(fork_chain&& from) noexcept;

  /// Code without a fork, or a part that is folded already.
  void add(const fork_sums& piece) noexcept {
    rest_.add(piece);
    all_.add(piece);
  }
  /// A fork at `site`, with its sides.
  void add_fork(fork_chain first, fork_chain second, profile::site_id site) noexcept;
  /// A loop whose iterations could run beside each other.
  void add_loop(const fork_sums& all, const loop_shape& loop, profile::site_id site) noexcept;
  /// It runs beside `other`: as add_fork, but for a chain that is a side itself.
  void run_beside(fork_chain other, profile::site_id site) noexcept;
  /// `other` follows it.
  void append(fork_chain other) noexcept;

  const fork_sums& all() const noexcept { return all_; }
  void clear() noexcept;

  /// The first of its nodes.
  const fork_tree_node* head() const noexcept { return head_; }
  /// Makes its end a node, so that head() has all of it.
  void close() noexcept;

 private:
  void fold() noexcept;
  void put(fork_tree_node* n) noexcept;
  static void fold_list(fork_tree_node*& list, std::uint64_t wanted) noexcept;

  fork_tree_node* head_ = nullptr;
  fork_tree_node* tail_ = nullptr;
  fork_sums rest_;  // behind the last node
  fork_sums all_;
  std::uint64_t grain_ = 0;  // no node of it is smaller
};

/// The work below which parts are folded, now, in ticks.
std::uint64_t fork_grain() noexcept;

}  // namespace kasuri::sched
