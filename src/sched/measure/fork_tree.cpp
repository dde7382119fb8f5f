// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/fork_tree.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#include "platform/base/clock.hpp"

namespace kasuri::sched {
namespace {

constexpr std::int64_t most_nodes = 200'000;
constexpr double first_grain_us = 100;

// A short loop costs its caller the more to share the shorter it is, and a program may have many in
// a row: so they are kept down to a tenth of the grain.
constexpr std::uint64_t loops_are_finer = 10;

constexpr std::int64_t nodes_a_doubling = most_nodes / 2;

constinit std::atomic<std::int64_t> nodes{0};
constinit std::atomic<std::int64_t> allowed{most_nodes};
constinit std::atomic<std::uint64_t> grain{0};

fork_tree_node* new_node() noexcept {
  auto* const n = new (std::nothrow) fork_tree_node;
  if (n == nullptr) return nullptr;
  const std::int64_t now = nodes.fetch_add(1, std::memory_order_relaxed);
  std::int64_t most = allowed.load(std::memory_order_relaxed);
  // Nodes that are there already go when their chain is next taken up; until then more are allowed.
  if (now >= most &&
      allowed.compare_exchange_strong(most, now + nodes_a_doubling, std::memory_order_relaxed)) {
    const std::uint64_t before = fork_grain();
    grain.store(2 * before, std::memory_order_relaxed);
  }
  return n;
}

void delete_node(fork_tree_node* n) noexcept {
  delete n;
  nodes.fetch_sub(1, std::memory_order_relaxed);
}

/// A list and all below it. The lists of a node's sides are put in front of what is left, so that
/// no memory is needed.
void delete_lists(fork_tree_node* list) noexcept {
  while (list != nullptr) {
    fork_tree_node* const n = list;
    list = n->next;
    for (fork_tree_node* side : {n->first, n->second}) {
      if (side == nullptr) continue;
      fork_tree_node* end = side;
      while (end->next != nullptr) end = end->next;
      end->next = list;
      list = side;
    }
    delete_node(n);
  }
}

}  // namespace

std::uint64_t fork_grain() noexcept {
  const std::uint64_t now = grain.load(std::memory_order_relaxed);
  if (now != 0) return now;
  std::uint64_t none = 0;
  grain.compare_exchange_strong(none, platform::ticks_of_us(first_grain_us),
                                std::memory_order_relaxed);
  return grain.load(std::memory_order_relaxed);
}

fork_chain& fork_chain::operator=(fork_chain&& from) noexcept {
  if (this == &from) return *this;
  clear();
  head_ = std::exchange(from.head_, nullptr);
  tail_ = std::exchange(from.tail_, nullptr);
  rest_ = std::exchange(from.rest_, {});
  all_ = std::exchange(from.all_, {});
  grain_ = std::exchange(from.grain_, 0);
  return *this;
}

void fork_chain::clear() noexcept {
  delete_lists(std::exchange(head_, nullptr));
  tail_ = nullptr;
  rest_ = all_ = {};
}

void fork_chain::put(fork_tree_node* n) noexcept {
  n->before = std::exchange(rest_, {});
  if (head_ == nullptr) grain_ = fork_grain();
  (tail_ == nullptr ? head_ : tail_->next) = n;
  tail_ = n;
}

void fork_chain::close() noexcept {
  if (tail_ != nullptr && tail_->first == nullptr && tail_->second == nullptr &&
      tail_->loop.iterations == 0) {
    tail_->before.add(std::exchange(rest_, {}));
    return;
  }
  if (fork_tree_node* const n = new_node()) put(n);
}

void fork_chain::add_fork(fork_chain first, fork_chain second, profile::site_id site) noexcept {
  fork_sums both = first.all_;
  both.join(second.all_);
  ++both.forks;
  all_.add(both);
  fork_tree_node* const n = both.work < fork_grain() ? nullptr : new_node();
  if (n == nullptr) {
    rest_.add(both);
    return;
  }
  for (fork_chain* side : {&first, &second}) {
    side->fold();
    side->close();
  }
  n->fork = both;
  n->site = site;
  n->first = std::exchange(first.head_, nullptr);
  n->second = std::exchange(second.head_, nullptr);
  fold();
  put(n);
}

void fork_chain::add_loop(const fork_sums& all, const loop_shape& loop,
                          profile::site_id site) noexcept {
  all_.add(all);
  fork_tree_node* const n = all.work < fork_grain() / loops_are_finer ? nullptr : new_node();
  if (n == nullptr) {
    rest_.add(all);
    return;
  }
  n->fork = all;
  n->loop = loop;
  n->site = site;
  fold();
  put(n);
}

void fork_chain::run_beside(fork_chain other, profile::site_id site) noexcept {
  fork_chain both;
  both.add_fork(std::move(*this), std::move(other), site);
  *this = std::move(both);
}

void fork_chain::append(fork_chain other) noexcept {
  all_.add(other.all_);
  if (other.head_ == nullptr) {
    rest_.add(other.rest_);
    return;
  }
  fork_sums before = std::exchange(rest_, {});
  before.add(other.head_->before);
  other.head_->before = before;
  (tail_ == nullptr ? head_ : tail_->next) = std::exchange(other.head_, nullptr);
  tail_ = other.tail_;
  rest_ = other.rest_;
  grain_ = 0;
}

/// The nodes that are too small now go into the sums of what follows them.
void fork_chain::fold_list(fork_tree_node*& list, std::uint64_t wanted) noexcept {
  fork_sums small;
  fork_tree_node** at = &list;
  while (fork_tree_node* const n = *at) {
    const std::uint64_t least = n->loop.iterations == 0 ? wanted : wanted / loops_are_finer;
    if (n->fork.work < least && n->next != nullptr) {
      small.add(n->before);
      small.add(n->fork);
      *at = std::exchange(n->next, nullptr);
      delete_lists(n);
      continue;
    }
    small.add(n->before);
    n->before = std::exchange(small, {});
    at = &n->next;
  }
}

void fork_chain::fold() noexcept {
  const std::uint64_t wanted = fork_grain();
  if (grain_ >= wanted || head_ == nullptr) return;
  grain_ = wanted;
  close();
  try {
    std::vector<fork_tree_node*> left;
    fold_list(head_, wanted);
    left.push_back(head_);
    while (!left.empty()) {
      fork_tree_node* n = left.back();
      left.pop_back();
      for (; n != nullptr; n = n->next)
        for (fork_tree_node** side : {&n->first, &n->second}) {
          if (*side == nullptr) continue;
          fold_list(*side, wanted);
          left.push_back(*side);
        }
    }
  } catch (const std::bad_alloc&) {
    grain_ = 0;  // the rest at the next time
  }
  tail_ = head_;
  while (tail_->next != nullptr) tail_ = tail_->next;
  allowed.store(std::max(most_nodes, nodes.load(std::memory_order_relaxed) + nodes_a_doubling / 2),
                std::memory_order_relaxed);
}

}  // namespace kasuri::sched
