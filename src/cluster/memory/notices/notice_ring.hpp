// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ring of write notices that a rank shows to the others, in its window part. The rank appends;
// any rank reads entries [from, to), which it has heard of by a token.
//
// Writer  1. adds to the word in the window    Reader  1. reads the entries
//         2. writes the entries                        2. reads the word
//         3. raises position()
//
// An entry may be replaced while it is read. The writer has raised the word before, so the reader
// finds at 2. that more has been written since than the ring holds: the entries are gone, and it
// says so.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

struct notice {
  // Rank of the writer in the upper 16 bits, its number in the lower 48; 0: of none; of_many.
  std::uint64_t source = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // all_bytes: of everything

  static constexpr std::uint64_t all_bytes = ~std::uint64_t{0};
  static constexpr std::uint64_t of_many = ~std::uint64_t{0} << 48;  // several ranks wrote them
  static notice make(int rank, std::uint64_t number, std::uint64_t begin, std::uint64_t end) {
    KASURI_EXPECT(cheap, rank >= 0 && rank < (1 << 16) - 1 && number != 0 && number < 1ULL << 48,
                  "notice %llu of rank %d", static_cast<unsigned long long>(number), rank);
    KASURI_EXPECT(cheap, begin < end, "a notice of bytes %llu to %llu",
                  static_cast<unsigned long long>(begin), static_cast<unsigned long long>(end));
    return {static_cast<std::uint64_t>(rank) << 48 | number, begin, end};
  }
  /// Of many, none that there is.
  [[nodiscard]] int rank() const noexcept { return static_cast<int>(source >> 48); }
  [[nodiscard]] std::uint64_t number() const noexcept { return source & ((1ULL << 48) - 1); }
};

class notice_ring {
 public:
  /// The ring lies in this rank's part of `where`, at `ring`, its word for who reads at `word`.
  notice_ring(transport& network, const window& where, std::uint64_t word, std::uint64_t ring,
              std::uint64_t entries) noexcept
      : network_(network), where_(where), word_(word), ring_(ring), entries_(entries) {}

  static constexpr std::uint64_t bytes_for(std::uint64_t entries) noexcept {
    return entries * sizeof(notice);
  }

  /// How many notices have been entered. Any thread.
  [[nodiscard]] std::uint64_t position() const noexcept {
    return position_.load(std::memory_order_acquire);  // pairs with append()
  }

  // One thread at a time:

  void append(std::span<const notice> added);
  /// Nobody reads below `to` any more; the next entry is there.
  void skip_to(std::uint64_t to);
  /// Appends entries [from, position()) of this rank's own log to `found`. False: some are gone.
  bool read_own(std::uint64_t from, std::vector<notice>& found) const;

  /// Appends entries [from, to) of the log of rank `from_rank` to `found`. False: some are gone.
  bool read(int from_rank, std::uint64_t from, std::uint64_t to, std::vector<notice>& found);

 private:
  transport& network_;
  const window& where_;
  std::uint64_t word_;
  std::uint64_t ring_;
  std::uint64_t entries_;
  std::atomic<std::uint64_t> position_{0};  // <= the word
};

}  // namespace kasuri::cluster
