// SPDX-License-Identifier: Apache-2.0
#pragma once

// With the cache off: what checkouts have brought here and hold, by block.
//
// Invariant: a checkout has an entry for each block that it has brought, from when the block is
// brought until its end, which takes an equal one away; both under the block's lock.

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "cluster/memory/base/byte_set.hpp"
#include "cluster/memory/blocks/block_part.hpp"
#include "cluster/memory/blocks/block_span.hpp"
#include "cluster/transport/network_lock.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class unkept_bytes {
 public:
  explicit unkept_bytes(transport& network) noexcept : lock_(network) {}

  void add(const block_part& brought) {
    KASURI_EXPECT(cheap, brought.part.begin < brought.part.end,
                  "bytes %u to %u of block %llu are held", brought.part.begin, brought.part.end,
                  static_cast<unsigned long long>(brought.index));
    const std::scoped_lock hold(lock_);
    held_.emplace(brought.index, brought.part);
  }

  /// A checkout of `part` ends: takes its entry away. The bytes of the block that others hold are
  /// added to `others`.
  void end(std::uint64_t index, byte_range part, byte_set& others) {
    const std::scoped_lock hold(lock_);
    const auto [first, last] = held_.equal_range(index);
    auto own = last;
    for (auto i = first; i != last; ++i) {
      if (own == last && i->second == part)
        own = i;
      else
        others.add(i->second);
    }
    KASURI_EXPECT(cheap, own != last, "bytes %u to %u of block %llu are given up, and not held",
                  part.begin, part.end, static_cast<unsigned long long>(index));
    if (own != last) held_.erase(own);
  }

  void forget(block_span gone) {
    const std::scoped_lock hold(lock_);
    std::erase_if(held_, [gone](const auto& held) { return gone.has(held.first); });
  }

 private:
  network_lock lock_;  // guards what is held
  std::unordered_multimap<std::uint64_t, byte_range> held_;
};

}  // namespace kasuri::cluster
