// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copies of others' blocks, and what a checkout of them needs. The parts, each with its protocol at
// its head:
//
//   fetcher       what is done to locked blocks, so that bytes are here
//   arrivals      the lock of a block; fetches that nobody waits for yet
//   evictor       room for blocks
//   waiting_room  waiting for that, where all of the cache is in use
//   writer        a release: what was written here goes home, and is told
//   dropper       an acquire: what others wrote is dropped
//   uncached      the end of a checkout where nothing is to be kept
//   block_lists   where blocks are entered beside the table
//
// The pin of a checkout is there before the first lock, so that nobody takes a block that is done
// while the next ones are brought.
//
// Locks, outer to inner: writer's, evictor's, blocks in rising order, then those of the lists and
// of arrivals. With a block held only blocks above it are waited for; eviction tries, and so does
// what begins a fetch ahead.
//
// Invariants (check() walks them, while nobody else is at work):
//   - a resident block: dirty is part of valid; its hints are part of them, and empty where it is
//     suspect (readable); it is in the clock once, and has room
//   - nothing else is in the clock, or has room
//   - the count of what is untold is right

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/blocks/block_lists.hpp"
#include "cluster/memory/blocks/block_part.hpp"
#include "cluster/memory/cache/arrivals.hpp"
#include "cluster/memory/cache/dropper.hpp"
#include "cluster/memory/cache/evictor.hpp"
#include "cluster/memory/cache/fetcher.hpp"
#include "cluster/memory/cache/site.hpp"
#include "cluster/memory/cache/uncached.hpp"
#include "cluster/memory/cache/waiting_room.hpp"
#include "cluster/memory/cache/writer.hpp"

namespace kasuri::cluster {

class cache {
 public:
  cache(const cache_site& at, versions& stamps, notice_log& log);
  cache(const cache&) = delete;
  cache& operator=(const cache&) = delete;
  ~cache() = default;

  /// Whether the hints say that all of it is here. The caller has a pin, or does not need the bytes
  /// to stay.
  [[nodiscard]] bool covered(const checkout_request& r) const noexcept;
  /// Brings what checkouts ask for, each with a pin and in one region, where[i].
  void bring(std::span<const checkout_request> requests, std::span<const region* const> where);
  /// Begins to fetch what the checkout will need, as far as that can begin without waiting. The
  /// number of the fetch, or 0.
  std::uint64_t begin_ahead(const checkout_request& r, const region& where);
  void land(std::uint64_t number) { arrivals_.land(number); }
  void land_all() { arrivals_.land_all(); }
  /// Whether blocks are on their way that nobody waits for.
  [[nodiscard]] bool awaits_any() const noexcept { return arrivals_.blocks() != 0; }
  /// The end of a checkout with the cache off.
  void end_uncached(pin& p) noexcept { uncached_.end_checkout(p); }

  /// A release, an acquire.
  void tell() { writer_.tell(); }
  void apply(const notice& n) { dropper_.apply(n); }

  /// Bytes of the range that were written here, but not brought home, are nobody's any more.
  void forget_dirty(global_range r);
  /// Nothing is known of the region's blocks any more. No rank uses it. When this returns the
  /// region's memory may go: no list has its blocks, so that a release or an eviction that begins
  /// later does not come by them, and a notice about them finds them untouched. The locks that keep
  /// releases and evictions from beginning are not needed for longer.
  void forget(const region& r);
  /// Whether bytes of the range, in one block, were written here and not brought home.
  [[nodiscard]] bool has_untold(global_range r);

  [[nodiscard]] std::uint64_t resident_bytes() const noexcept { return lists_.used.in_use(); }
  /// The invariant that does not hold, or null. While nobody else is at work; lands what is on its
  /// way.
  [[nodiscard]] const char* check();

 private:
  [[nodiscard]] std::vector<block_part> parts_of(std::span<const checkout_request> requests,
                                                 std::span<const region* const> where) const;
  [[nodiscard]] std::uint64_t count_new(block_parts parts) const;
  bool serve_one(const checkout_request& r, const region& where);
  std::uint64_t bring_locked(block_parts parts);
  [[nodiscard]] bool worth_locking(const block_part& it) const;
  [[nodiscard]] std::vector<block_part> worth_locking(const checkout_request& r,
                                                      const region& where) const;
  void lock_missing(std::vector<block_part>& parts) const;

  const cache_site at_;
  bool overlaps_ = false;  // fetches may go on while nobody waits for them
  block_lists lists_;
  fetcher fetcher_;
  arrivals arrivals_;
  evictor evictor_;
  waiting_room waiting_room_;
  writer writer_;
  dropper dropper_;
  uncached uncached_;
};

}  // namespace kasuri::cluster
