// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fetches that nobody waits for yet, and the lock of a block, which knows of them. The blocks of
// such a fetch stay locked, as those of any fetch do, so that nothing changes for the threads that
// drop, evict or write back: but the lock belongs to a record of the process, and not to a thread.
// A thread that wants such a block takes the record and waits for the network in the place of the
// one that began; one that wants room takes them all.
//
//   begin()  --> in the list, blocks locked and `arriving` --> land(), by a thread that takes it
//
// `arriving_` guards the list and the last number. A record that has been taken out belongs to the
// thread that took it, and its blocks are unlocked by that one's land(); other threads that want
// them wait for their locks. Invariant: a block is in one record at most, and locked while it is.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cluster/memory/base/transfers.hpp"
#include "cluster/memory/blocks/block_lists.hpp"
#include "cluster/memory/blocks/block_part.hpp"
#include "cluster/memory/cache/fetcher.hpp"
#include "cluster/memory/cache/site.hpp"
#include "cluster/transport/network_lock.hpp"

namespace kasuri::cluster {

class arrivals {
 public:
  /// A fetch: a record of the process.
  struct arrival {
    explicit arrival(transport& network) noexcept : under_way(network) {}

    std::unique_ptr<arrival> next;
    std::uint64_t number = 0;
    std::vector<block_part> parts;  // one for each block, rising
    transfers under_way;
    std::uint64_t since = 0;     // doubts::number() from before
    std::uint64_t reserved = 0;  // blocks
  };

  arrivals(const cache_site& at, block_lists& lists, fetcher& how) noexcept
      : at_(at), lists_(lists), how_(how), arriving_(at.network) {}

  /// Waits for the lock of a block; lands the fetch that has it, if there is one.
  void lock(std::uint64_t index);

  /// The record of a fetch that is to begin, with one part of each block, rising. A caller makes it
  /// before it takes room or locks: memory that runs out here leaves nothing behind.
  [[nodiscard]] std::unique_ptr<arrival> prepare(std::vector<block_part> parts) const;
  /// Begins the fetch: the caller has locked the blocks of the record and gives them away; of the
  /// room, `reserved` blocks have been taken for them. The number of the fetch, not 0.
  std::uint64_t begin(std::unique_ptr<arrival> a, std::uint64_t reserved);
  /// Waits for the fetch, and unlocks its blocks, unless somebody has done so, or does.
  void land(std::uint64_t number);
  /// All of them, also those that other threads land now.
  void land_all();

  /// Blocks that have not landed.
  [[nodiscard]] std::uint64_t blocks() const noexcept {
    return blocks_.load(std::memory_order_relaxed);
  }

 private:
  std::unique_ptr<arrival> take(const std::function<bool(const arrival&)>& is);
  void land(std::unique_ptr<arrival> a);

  const cache_site& at_;
  block_lists& lists_;
  fetcher& how_;
  network_lock arriving_;
  std::unique_ptr<arrival> list_;  // the newest first
  std::uint64_t last_ = 0;         // number
  std::atomic<std::uint64_t> blocks_{0};
};

}  // namespace kasuri::cluster
