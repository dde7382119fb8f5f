// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pieces that the global address range is given out in, and the homes of the bytes of each: an
// array is cut into chunks of whole blocks, and each chunk lies in the window part of one rank.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

/// Where a byte of a region lies.
struct home_place {
  int rank;
  std::uint64_t offset;  // in the window part of that rank
  std::uint64_t run;     // bytes from here on that lie there in the same order
};

struct region {
  enum class kind_t : std::uint8_t { blocked, cyclic, listed, file };

  std::uint64_t begin = 0;    // offsets in the address range, of whole blocks
  std::uint64_t end = 0;      // the end of the mapping
  std::uint64_t used = 0;     // the bytes asked for end here
  std::uint64_t chunk = 0;    // bytes, of whole blocks
  std::uint64_t element = 1;  // bytes of one, for messages
  int ranks = 1;
  kind_t kind = kind_t::blocked;
  bool heap = false;
  window memory;                      // parts, and behind them the versions of their blocks
  std::uint64_t stamps = 0;           // where these begin, in each part
  std::vector<std::int32_t> owners;   // listed: of each chunk
  std::vector<std::uint32_t> places;  // listed: its place among those of its owner

  [[nodiscard]] home_place home_of(std::uint64_t offset) const noexcept;
  /// Chunks, the last perhaps not full.
  [[nodiscard]] std::uint64_t chunks() const noexcept { return (end - begin + chunk - 1) / chunk; }
  /// The most chunks that one rank is home of.
  [[nodiscard]] std::uint64_t most_chunks() const noexcept;
};

/// All regions of a process, sorted; read without a lock. Changed by one thread at a time. A list
/// that is replaced is kept, for threads that may still look at it: regions come and go seldom.
class region_map {
 public:
  region_map();

  /// The region that has all of [begin, end) in it, or null.
  [[nodiscard]] const region* find(std::uint64_t begin, std::uint64_t end) const noexcept;
  /// Calls f(region) for each that has part of [begin, end).
  template <class F>
  void each_in(std::uint64_t begin, std::uint64_t end, F f) const {
    for (const region* r : *list())
      if (begin < r->end && r->begin < end) f(*r);
  }

  /// The lowest `bytes` within [low, high) that are free, with `gap` to what is below and above;
  /// none: no room.
  [[nodiscard]] std::optional<std::uint64_t> room(std::uint64_t bytes, std::uint64_t gap,
                                                  std::uint64_t low,
                                                  std::uint64_t high) const noexcept;
  const region* add(std::unique_ptr<region> r);
  void remove(const region* r);
  [[nodiscard]] std::uint64_t mapped_bytes() const noexcept;

 private:
  using list_t = std::vector<const region*>;
  [[nodiscard]] const list_t* list() const noexcept {
    return list_.load(std::memory_order_acquire);  // pairs with replace()
  }
  void replace(list_t next);

  std::atomic<const list_t*> list_;
  std::vector<std::unique_ptr<const list_t>> all_lists_;
  std::vector<std::unique_ptr<region>> all_;
};

}  // namespace kasuri::cluster
