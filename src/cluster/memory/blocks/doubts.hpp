// SPDX-License-Identifier: Apache-2.0
#pragma once

// When notices have been lost, everything here becomes suspect. So that this costs what was met
// since the last time, and not the size of the table, a block that is met enters a list.
//
//   a thread brings blocks, holding their locks  a thread doubts everything
//     1. reads number()                           1. raises the number
//     2. fetches                                  2. takes the list
//     3. watch(): lists the blocks, and           3. locks each block of it, and makes it suspect
//        compares the number
//
// Either 2. on the right comes behind 3. on the left: then the blocks are in the list, and become
// suspect once they are unlocked. Or it comes before: then the number has been raised before the
// list's lock was taken on the left, and the thread that brings them makes them suspect itself.
//
// Invariant: a block whose flag `watched` is set is in the list, or in one that raise() has given
// out; the thread that has that list resets the flag under the block's lock.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "cluster/memory/blocks/block_span.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class doubts {
 public:
  explicit doubts(transport& network) noexcept : lock_(network) {}

  /// How often everything became suspect.
  [[nodiscard]] std::uint64_t number() const noexcept {
    return number_.load(std::memory_order_seq_cst);  // pairs with raise()
  }
  [[nodiscard]] bool ever() const noexcept { return number_.load(std::memory_order_relaxed) != 0; }

  /// Lists blocks, which the caller has locked, and whose flag it has set. True: everything has
  /// become suspect since number() was `since`.
  [[nodiscard]] bool watch(std::span<const std::uint64_t> met, std::uint64_t since) {
    if (!met.empty()) {
      const std::scoped_lock hold(lock_);
      list_.insert(list_.end(), met.begin(), met.end());
    }
    const std::uint64_t now = number();
    KASURI_EXPECT(cheap, since <= now, "doubt %llu is by now number %llu",
                  static_cast<unsigned long long>(since), static_cast<unsigned long long>(now));
    return now != since;
  }

  /// Everything is suspect from now on: the blocks to be told so.
  [[nodiscard]] std::vector<std::uint64_t> raise() {
    number_.fetch_add(1, std::memory_order_seq_cst);  // pairs with number()
    const std::scoped_lock hold(lock_);
    return std::exchange(list_, {});
  }

  void forget(block_span gone) {
    const std::scoped_lock hold(lock_);
    std::erase_if(list_, [gone](std::uint64_t index) { return gone.has(index); });
  }

 private:
  network_lock lock_;  // guards the list
  std::vector<std::uint64_t> list_;
  std::atomic<std::uint64_t> number_{0};
};

}  // namespace kasuri::cluster
