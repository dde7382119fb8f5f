// SPDX-License-Identifier: Apache-2.0
#pragma once

// A set of bytes of a block: disjoint ranges in rising order, none touching the next. A block has
// mostly none or one; that one is kept in place, more are in a vector. Zeroed memory is the empty
// set, so that a table of millions needs no start.

#include <cstdint>
#include <span>
#include <vector>

namespace kasuri::cluster {

/// Bytes [begin, end) of a block.
struct byte_range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const byte_range&, const byte_range&) = default;
};

class byte_set {
 public:
  byte_set() = default;
  byte_set(const byte_set&) = delete;
  byte_set& operator=(const byte_set&) = delete;
  ~byte_set() { clear(); }

  [[nodiscard]] std::span<const byte_range> parts() const noexcept {
    if (many_ != nullptr) return *many_;
    return {&one_, one_.begin < one_.end ? std::size_t{1} : std::size_t{0}};
  }
  [[nodiscard]] bool empty() const noexcept { return parts().empty(); }

  /// The range that has all of `r` in it; an empty one if there is none.
  [[nodiscard]] byte_range around(byte_range r) const noexcept;
  [[nodiscard]] bool covers(byte_range r) const noexcept { return around(r).end != 0; }
  [[nodiscard]] std::uint32_t bytes() const noexcept;
  [[nodiscard]] bool same_as(const byte_set& other) const noexcept;

  /// The invariant that does not hold, or null.
  [[nodiscard]] const char* check() const noexcept;

  void add(byte_range r);
  void remove(byte_range r);
  void clear() noexcept;
  void assign(const byte_set& other);

  /// Calls f(part) for each part of `r` that is in the set, or is not.
  template <class F>
  void each_in(byte_range r, F f) const {
    for (byte_range p : parts()) {
      const byte_range common{p.begin > r.begin ? p.begin : r.begin, p.end < r.end ? p.end : r.end};
      if (common.begin < common.end) f(common);
    }
  }
  template <class F>
  void each_missing(byte_range r, F f) const {
    std::uint32_t from = r.begin;
    each_in(r, [&](byte_range p) {
      if (from < p.begin) f(byte_range{from, p.begin});
      from = p.end;
    });
    if (from < r.end) f(byte_range{from, r.end});
  }

 private:
  void settle(std::vector<byte_range>&& parts);

  byte_range one_;                           // while many_ is null
  std::vector<byte_range>* many_ = nullptr;  // two and more
};
static_assert(sizeof(byte_set) == 16);

}  // namespace kasuri::cluster
