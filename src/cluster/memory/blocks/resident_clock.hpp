// SPDX-License-Identifier: Apache-2.0
#pragma once

// The blocks that have a place in the cache, in the order in which they are looked at for eviction:
// as they came, but for those used since the last look (the clock algorithm).
//
// Invariant: a block whose flag `resident` is set is here once, or in the hands of an eviction,
// which has it locked, or of a fetch that is about to add it, likewise.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "cluster/memory/blocks/block_span.hpp"
#include "cluster/memory/blocks/block_table.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

/// The blocks that may go: clean ones need not be brought home.
enum class victims { any, clean };

class resident_clock {
 public:
  resident_clock(transport& network, const block_table& blocks) noexcept
      : blocks_(blocks), lock_(network) {}

  void add(std::span<const std::uint64_t> indices) {
    if (indices.empty()) return;
    for ([[maybe_unused]] const std::uint64_t index : indices)
      KASURI_EXPECT(cheap, blocks_[index].has(block::resident) && blocks_[index].has(block::locked),
                    "block %llu comes into the clock in state %#x",
                    static_cast<unsigned long long>(index),
                    blocks_[index].state.load(std::memory_order_relaxed));
    const std::scoped_lock hold(lock_);
    clock_.insert(clock_.end(), indices.begin(), indices.end());
  }
  [[nodiscard]] std::size_t size() {
    const std::scoped_lock hold(lock_);
    return clock_.size();
  }
  /// Takes up to `wanted` blocks out, and locks them. Blocks that others have locked stay; then
  /// `met_locked` is set. Where clean ones are wanted, dirty ones stay too, and no more than a few
  /// are looked at.
  [[nodiscard]] std::vector<std::uint64_t> take(victims which, std::uint64_t wanted,
                                                bool& met_locked);
  void forget(block_span gone) {
    const std::scoped_lock hold(lock_);
    std::erase_if(clock_, [gone](std::uint64_t index) { return gone.has(index); });
  }
  /// The blocks as they are now; for the walk over them.
  [[nodiscard]] std::vector<std::uint64_t> all() {
    const std::scoped_lock hold(lock_);
    return {clock_.begin(), clock_.end()};
  }

 private:
  const block_table& blocks_;
  network_lock lock_;  // guards the list
  std::deque<std::uint64_t> clock_;
};

}  // namespace kasuri::cluster
