// SPDX-License-Identifier: Apache-2.0
#pragma once

// The memory that tasks of one process allocate, in its part of the heap window; others use it as
// any global memory, and may free it.
//
// An object lies behind a header of 16 bytes, which only its owner and the rank that frees it look
// at; it does not go through the cache. Sizes are rounded up to four classes for each power of two;
// what is freed goes to the list of its class. A rank that frees another's object writes the header
// and hangs the object into a list whose head is a word of the owner's (a stack: only the owner
// takes, and takes all, so that no word comes back while somebody compares it). The owner looks
// there when it would have to cut new memory.

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class heap {
 public:
  /// Parts of `bytes` bytes in window `parts`; the heads of the lists are at `word` of window
  /// `words`. The part of this rank begins at global offset `start`; `memory` is its first byte.
  heap(transport& network, const window& parts, const window& words, std::uint64_t word,
       std::uint64_t bytes) noexcept
      : network_(network), parts_(parts), words_(words), word_(word), bytes_(bytes) {}

  /// Offset in this rank's part of `bytes` bytes, aligned to 16; throws global::error when it is
  /// full.
  std::uint64_t allocate(std::uint64_t bytes);

  /// Throws global::error unless an object of `bytes` bytes begins at `offset` of rank `owner`'s
  /// part. All that belongs to it: at least `bytes`, and nothing of its neighbours.
  std::uint64_t expect(int owner, std::uint64_t offset, std::uint64_t bytes);

  /// Gives back the object at `offset` of rank `owner`'s part. Throws global::error if none is
  /// there.
  void deallocate(int owner, std::uint64_t offset);

  /// Bytes that are allocated here, headers and rounding included.
  [[nodiscard]] std::uint64_t used_bytes();

 private:
  struct header {
    std::uint64_t tag = 0;   // in use or freed, and its class
    std::uint64_t next = 0;  // of a list of freed objects: the next one's offset
  };
  static constexpr unsigned classes = 256;

  [[nodiscard]] header& header_at(std::uint64_t object) noexcept;
  void free_here(std::uint64_t object);
  void free_there(int owner, std::uint64_t object);
  std::uint64_t try_allocate(unsigned size_class);
  void take_back();
  std::uint64_t taken(unsigned size_class, std::uint64_t object) noexcept;
  /// The invariant that does not hold, or null: what was cut is in use, or free in a list once. The
  /// caller has lock_. An object that others have freed counts as in use until it is taken back.
  [[nodiscard]] const char* check() const;

  transport& network_;
  const window& parts_;
  const window& words_;
  std::uint64_t word_;
  std::uint64_t bytes_;

  std::mutex lock_;  // guards the rest, and the headers of objects here
  std::uint64_t cut_ = 0;
  std::uint64_t used_ = 0;
  unsigned misses_ = 0;
  std::array<std::vector<std::uint64_t>, classes> free_;
};

}  // namespace kasuri::cluster
