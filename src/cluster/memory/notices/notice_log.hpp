// SPDX-License-Identifier: Apache-2.0
#pragma once

// Write notices, and how they get to who must know them.
//
// A notice says: rank s wrote bytes [begin, end), and they are at home now; the notices of a rank
// are numbered 1, 2, 3, ... Each rank has a log, a ring in its window part, of all notices it
// knows: its own, and those it has read in the logs of others. What a release gives out is a
// position in the log of its rank; who acquires it reads that log up to there from where it last
// stopped.
//
// Why this is complete: say a log holds notice n of s whenever it holds a later one of s. A rank
// enters its own in order. Of others it enters, in the order it reads them, those with numbers
// above the highest it has entered, so that each is entered once, and by induction none is left
// out. So who has read a log up to a position knows all that its rank knew then: what happened
// before the release.
//
// Why it is bounded: a ring has room for so many. Who comes too late, or finds that entries were
// overwritten while it read, must suppose that everything was written, and enters that into its own
// log as a notice of its own: those who read there suppose it too. It may leave numbers of others
// out of its log thereby; whoever reads over the gap has read the notice for everything before.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

struct notice {
  std::uint64_t source = 0;  // rank of the writer in the upper 16 bits, its number in the lower 48
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // all_bytes: of everything

  static constexpr std::uint64_t all_bytes = ~std::uint64_t{0};
  static notice make(int rank, std::uint64_t number, std::uint64_t begin, std::uint64_t end) {
    return {static_cast<std::uint64_t>(rank) << 48 | number, begin, end};
  }
  [[nodiscard]] int rank() const noexcept { return static_cast<int>(source >> 48); }
  [[nodiscard]] std::uint64_t number() const noexcept { return source & ((1ULL << 48) - 1); }
};

class notice_log {
 public:
  /// The ring lies in this rank's part of `where`, at `ring`, its word for who reads at `word`.
  notice_log(transport& network, const window& where, std::uint64_t word, std::uint64_t ring,
             std::uint64_t entries) noexcept
      : network_(network), where_(where), word_(word), ring_(ring), entries_(entries) {}

  static constexpr std::uint64_t bytes_for(std::uint64_t entries) noexcept {
    return entries * sizeof(notice);
  }

  /// How many notices have been entered. Any thread.
  [[nodiscard]] std::uint64_t position() const noexcept {
    return position_.load(std::memory_order_acquire);  // pairs with append()
  }

  /// One thread at a time.
  void append(std::span<const notice> added);

  /// Appends entries [from, to) of the log of rank `from_rank` to `found`. False: some are gone.
  bool read(int from_rank, std::uint64_t from, std::uint64_t to, std::vector<notice>& found);

 private:
  transport& network_;
  const window& where_;
  std::uint64_t word_;
  std::uint64_t ring_;
  std::uint64_t entries_;
  std::atomic<std::uint64_t> position_{0};
};

}  // namespace kasuri::cluster
