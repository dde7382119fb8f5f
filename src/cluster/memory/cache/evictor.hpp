// SPDX-License-Identifier: Apache-2.0
#pragma once

// Blocks go, in batches, so that the fence and the system call are paid once for many:
//
//   1. takes blocks out of the clock, and locks them        (resident_clock.hpp)
//   2. clears their hints, fence_heavy(), reads the pins    (pins.hpp)
//   3. those with a pin stay: their hints are set again
//   4. the dirty bytes of the others go home, and wait there to be told of (untold_writes.hpp)
//   5. the others are empty from now on, and their memory is free for others (spare_memory.hpp)
//
// One thread at a time evicts, with `evicting_`. It never waits for the lock of a block, so that it
// may be called with blocks locked that are not to go.

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "cluster/memory/blocks/block_lists.hpp"
#include "cluster/memory/cache/site.hpp"
#include "cluster/transport/network_lock.hpp"

namespace kasuri::cluster {

/// The outcome of an eviction.
enum class eviction {
  some,        // there is more room than before
  all_locked,  // all that could go is checked out, or others are about to change it
  all_pinned,  // all of it is checked out
};

class evictor {
 public:
  evictor(const cache_site& at, block_lists& lists) noexcept
      : at_(at), lists_(lists), evicting_(at.network) {}

  /// Makes room for so many bytes, or some of it, if that is still wanted.
  eviction make_room(std::uint64_t bytes);
  /// Takes room for what can do without: waits for nobody, and evicts blocks only that need not be
  /// brought home. False: there is none.
  bool try_take_room(std::uint64_t bytes);

  /// Nothing is evicted as long as the caller keeps this.
  [[nodiscard]] std::unique_lock<network_lock> stop() { return std::unique_lock(evicting_); }

 private:
  eviction evict_some(victims which);
  [[nodiscard]] std::vector<bool> pinned(std::span<const std::uint64_t> indices) const;
  void evict(std::span<const std::uint64_t> indices, const std::vector<bool>& stays);
  void bring_home(std::span<const std::uint64_t> gone);
  void go_on(std::uint64_t index);
  void empty(std::uint64_t index);

  const cache_site& at_;
  block_lists& lists_;
  network_lock evicting_;
};

}  // namespace kasuri::cluster
