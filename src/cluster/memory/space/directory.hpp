// SPDX-License-Identifier: Apache-2.0
#pragma once

// The address range is given out to the heaps of all ranks, which come first, then to arrays and
// files. Each is a region (region.hpp), and the directory says which rank is home of a byte.
//
// Regions come and go by collective calls: every rank does the same in the same order, and so comes
// to the same offsets without asking. `changing_` is held by such a call, as several threads of a
// process may make them; the map of regions is read without a lock.
//
// Invariants (check() walks them):
//   - regions are disjoint and made of whole blocks, and between two of them, and below the first,
//     is a block of none: what runs over the end of an array is found, and no range of written
//     bytes reaches from one into the other. So offset 0 is in no region.
//   - begin < end, and what was asked for ends in between: begin <= used <= end.
//   - the heaps are the first region, at heap_start(), a chunk for each rank.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "cluster/memory/base/control_window.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/memory/space/address_range.hpp"
#include "cluster/memory/space/heap.hpp"
#include "cluster/memory/space/region.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class directory {
 public:
  using owner_function = std::function<int(std::uint64_t)>;

  /// Collective: makes the heaps. Throws global::error where the system has no room.
  directory(transport& network, const memory_options& options, const address_range& range,
            const control_window& words);
  directory(const directory&) = delete;
  directory& operator=(const directory&) = delete;
  ~directory() = default;

  // Collective: an array of `bytes` bytes, zero at first; its offset. Chunks are whole blocks:
  // `chunk` is rounded up. Blocked: each rank has one of equal size. `element`: bytes of an
  // element, for messages.
  std::uint64_t add_blocked(std::uint64_t bytes, std::uint64_t element = 1);
  std::uint64_t add_cyclic(std::uint64_t bytes, std::uint64_t chunk, std::uint64_t element = 1);
  std::uint64_t add_listed(std::uint64_t bytes, std::uint64_t chunk,
                           const owner_function& owner_of_chunk, std::uint64_t element = 1);
  /// Collective, behind a meeting of the caller's own: one part of `bytes` bytes at each rank, one
  /// behind the other; `bytes` is rounded up to whole blocks. `name`: in messages.
  std::uint64_t add_parts(std::uint64_t& bytes, const std::string& name);
  /// The file as a read-only array; `bytes` is set to its size.
  std::uint64_t add_file(const std::string& path, std::uint64_t& bytes);

  /// Collective: ends the array at `offset`. forget(region) is called once it is known which that
  /// is, before its memory goes: the caller sees to it that no rank uses it any more.
  void remove(std::uint64_t offset, const std::function<void(const region&)>& forget);
  /// Collective: ends all regions, likewise.
  void end(const std::function<void(const region&)>& forget);

  /// Memory of this process's heap. Any thread. Throws global::error where it is full.
  std::uint64_t allocate(std::uint64_t bytes);
  struct object {
    int owner;            // whose heap
    std::uint64_t place;  // in the part of that rank
    std::uint64_t bytes;  // all that belongs to it
  };
  /// The object of a heap that begins at `offset`; throws global::error where there is none.
  object expect_object(std::uint64_t offset, std::uint64_t bytes);
  void deallocate(const object& o) { heap_->deallocate(o.owner, o.place); }

  /// The region that has all of the range in it, or null.
  [[nodiscard]] const region* find(global_range r) const noexcept {
    return regions_.find(r.begin, r.end);
  }
  /// Calls f(region) for each that has bytes of the range.
  template <class F>
  void each_in(global_range r, F f) const {
    regions_.each_in(r.begin, r.end, f);
  }
  /// Calls f(index, part) for each block of the range, which lies in `where`, that is at home at
  /// another rank.
  template <class F>
  void each_away(const region& where, global_range r, F f) const;

  /// The region of a checkout. Throws global::error where there is none, or it is read-only.
  [[nodiscard]] const region& expect(const checkout_request& r) const;
  /// The same, where regions seldom change between two calls: the last answer is looked at first.
  void expect_again(const checkout_request& r) const {
    const region* last = last_.load(std::memory_order_relaxed);
    const std::uint64_t end = r.offset + r.bytes;
    if (last == nullptr || r.offset < last->begin || end > last->used || end < r.offset ||
        (last->kind == region::kind_t::file && r.writes())) [[unlikely]]
      last_.store(&expect(r), std::memory_order_relaxed);
  }
  /// Words for a checkout, for messages: what is asked for, in which array, and who asks.
  [[nodiscard]] std::string describe(const checkout_request& r) const;

  [[nodiscard]] bool is_home(const region& where, std::uint64_t index) const noexcept {
    return where.kind == region::kind_t::file ||
           where.home_of(range_.bytes_of(index)).rank == rank_;
  }
  [[nodiscard]] int home_rank(std::uint64_t offset) const;
  /// The bytes of a block that the region has: the last block may be used in part.
  [[nodiscard]] byte_range used_of(const region& where, std::uint64_t index) const noexcept {
    KASURI_EXPECT(
        cheap, where.begin <= range_.bytes_of(index) && range_.bytes_of(index) <= where.used,
        "block %llu of a region from %llu to %llu", static_cast<unsigned long long>(index),
        static_cast<unsigned long long>(where.begin), static_cast<unsigned long long>(where.used));
    const std::uint64_t rest = where.used - range_.bytes_of(index);
    return {0,
            static_cast<std::uint32_t>(rest < range_.block_bytes() ? rest : range_.block_bytes())};
  }

  /// The invariant that does not hold, or null. Between two collective calls.
  [[nodiscard]] const char* check() const;

 private:
  [[nodiscard]] std::uint64_t heap_start() const noexcept { return range_.block_bytes(); }
  [[nodiscard]] std::uint64_t least_chunk(std::uint64_t bytes, std::uint64_t chunk) const noexcept;
  std::uint64_t add(std::unique_ptr<region> r, std::uint64_t bytes);
  std::uint64_t add(std::unique_ptr<region> r, std::uint64_t bytes, const std::string& name);
  void place(region& r, std::uint64_t bytes, const std::string& name) const;
  void give_memory(region& r, const std::string& name);
  void alias_home_parts(const region& r);
  std::uint64_t agreed_file_bytes(const std::string& path);
  void close(const region& r);

  transport& network_;
  const address_range& range_;
  const int rank_;
  const int ranks_;
  region_map regions_;
  mutable std::atomic<const region*> last_{nullptr};  // that expect_again() found
  std::mutex changing_;
  std::unique_ptr<heap> heap_;
  std::uint64_t heap_part_ = 0;  // bytes of each rank
};

template <class F>
void directory::each_away(const region& where, global_range r, F f) const {
  if (where.kind == region::kind_t::file) return;
  KASURI_EXPECT(cheap, where.begin <= r.begin && r.end <= where.end,
                "bytes %llu to %llu of a region from %llu to %llu",
                static_cast<unsigned long long>(r.begin), static_cast<unsigned long long>(r.end),
                static_cast<unsigned long long>(where.begin),
                static_cast<unsigned long long>(where.end));
  for (std::uint64_t at = r.begin; at < r.end;) {
    const std::uint64_t start = range_.start_of_block(at);
    const home_place home = where.home_of(start);
    const std::uint64_t stop = r.end < start + home.run ? r.end : start + home.run;
    if (home.rank != rank_) range_.each_block({at, stop}, f);
    at = stop;
  }
}

}  // namespace kasuri::cluster
