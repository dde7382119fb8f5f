// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes of this process that no release has told of: blocks with dirty bytes, and ranges that
// eviction has brought home before the release.
//
// A block enters when its first byte is written: the thread that sets its flag `listed` enters it,
// under the block's lock. A release takes all blocks, brings them home one after the other, and
// takes the ranges behind that: what eviction took from its blocks meanwhile is among them. A block
// of which some bytes were left, since a checkout writes them, is put back.
//
// Invariants: a block with `listed` is in the list once, or in the hands of a release; the count is
// the sizes of both lists and what releases have in hand.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/blocks/block_span.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class untold_writes {
 public:
  explicit untold_writes(transport& network) noexcept : lock_(network) {}

  /// Nothing that the caller has written, or that was ordered before it, is untold.
  [[nodiscard]] bool none() const noexcept {
    return count_.load(std::memory_order_acquire) == 0;  // pairs with told()
  }

  void add_blocks(std::span<const std::uint64_t> indices) {
    if (indices.empty()) return;
    const std::scoped_lock hold(lock_);
    blocks_.insert(blocks_.end(), indices.begin(), indices.end());
    count_.fetch_add(indices.size(), std::memory_order_relaxed);
  }
  void add_ranges(std::span<const global_range> home) {
    if (home.empty()) return;
    for ([[maybe_unused]] const global_range& r : home)
      KASURI_EXPECT(cheap, r.begin < r.end, "bytes %llu to %llu were brought home",
                    static_cast<unsigned long long>(r.begin),
                    static_cast<unsigned long long>(r.end));
    const std::scoped_lock hold(lock_);
    ranges_.insert(ranges_.end(), home.begin(), home.end());
    count_.fetch_add(home.size(), std::memory_order_relaxed);
  }

  // For one release at a time; what is taken counts until told():
  [[nodiscard]] std::vector<std::uint64_t> take_blocks() {
    const std::scoped_lock hold(lock_);
    return std::exchange(blocks_, {});
  }
  [[nodiscard]] std::vector<global_range> take_ranges() {
    const std::scoped_lock hold(lock_);
    return std::exchange(ranges_, {});
  }
  void put_back(std::span<const std::uint64_t> indices) {
    if (indices.empty()) return;
    const std::scoped_lock hold(lock_);
    blocks_.insert(blocks_.end(), indices.begin(), indices.end());
  }
  /// So many of those taken, and not put back, have been told of.
  void told(std::uint64_t count) noexcept {
    // pairs with none()
    const std::uint64_t before = count_.fetch_sub(count, std::memory_order_release);
    KASURI_EXPECT(cheap, count <= before, "%llu writes have been told of, %llu were untold",
                  static_cast<unsigned long long>(count), static_cast<unsigned long long>(before));
  }

  /// While no release has anything in hand.
  void forget(block_span gone, global_range bytes) {
    const std::scoped_lock hold(lock_);
    std::uint64_t less =
        std::erase_if(blocks_, [gone](std::uint64_t index) { return gone.has(index); });
    less += std::erase_if(ranges_, [bytes](const global_range& r) {
      return bytes.begin <= r.begin && r.begin < bytes.end;
    });
    const std::uint64_t before = count_.fetch_sub(less, std::memory_order_relaxed);
    KASURI_EXPECT(cheap, less <= before, "%llu untold writes are forgotten, of %llu",
                  static_cast<unsigned long long>(less), static_cast<unsigned long long>(before));
  }

  /// Whether the count is that of the lists, and of so many that a release has in hand. No other
  /// release has anything in hand.
  [[nodiscard]] bool counts_right(std::uint64_t in_hand = 0) {
    const std::scoped_lock hold(lock_);
    return count_.load(std::memory_order_relaxed) == blocks_.size() + ranges_.size() + in_hand;
  }

 private:
  network_lock lock_;  // guards the lists
  std::vector<std::uint64_t> blocks_;
  std::vector<global_range> ranges_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace kasuri::cluster
