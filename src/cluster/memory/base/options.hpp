// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kasuri::cluster {

class transport;

/// For tests of the tests: one step of the protocol left out.
enum class planted_fault {
  none,
  notice_skipped,      // a release tells of all but the first range written
  write_back_skipped,  // a release tells of ranges that it has not brought home
  stamp_not_raised,    // blocks look unchanged at home when they are not
  nothing_passed_on,   // notices that an acquire has read are not told to the next
  eviction_forgotten,  // a range that was brought home early is not told of
  dirty_overwritten,   // fetching again replaces what this process wrote
  subtree_forgotten,   // what other ranks tell at the begin of a run is lost on its way to rank 0
  begin_untold,        // a rank does not tell at the begin of a run what it wrote since the last
  end_untold,          // rank 0 does not tell at the end of a run what was written in it
};

/// So many write notices are kept for others to read, and told of at the begin and at the end of a
/// run (call_tree::most_bytes() has room for them): fewer where there are more ranks, since each
/// reads what all write, and behind some thousand it is cheaper to doubt than to read them.
constexpr std::size_t notices_for(int ranks) noexcept {
  constexpr std::size_t of_all = std::size_t{1} << 18;
  return std::clamp(of_all / static_cast<std::size_t>(ranks), std::size_t{1} << 10,
                    std::size_t{1} << 15);
}

/// Addresses for all arrays and heaps, and how much of them each rank's heap has.
struct global_sizes {
  std::size_t range_bytes = 0;
  std::size_t heap_bytes = 0;
};

/// The sizes for a job of so many ranks where the user did not choose; 0: not chosen. The heaps
/// together take no more than a quarter of the range, so the range grows with the ranks, up to the
/// setting's limit; from there on, or in a range that the user chose, the heaps shrink.
constexpr global_sizes sizes_for(int ranks, std::size_t chosen_range,
                                 std::size_t chosen_heap) noexcept {
  constexpr std::size_t mib = std::size_t{1} << 20;
  constexpr std::size_t usual_heap = 256 * mib;
  constexpr std::size_t least_heap = mib / 16;
  constexpr std::size_t usual_range = std::size_t{256} << 30;
  constexpr std::size_t most_range = std::size_t{16} << 40;
  constexpr std::size_t parts = 4;
  const auto all = static_cast<std::size_t>(ranks);
  const std::size_t wanted = chosen_heap == 0 ? usual_heap : chosen_heap;
  global_sizes made{chosen_range, chosen_heap};
  if (chosen_range == 0)
    made.range_bytes = wanted > most_range / parts / all
                           ? most_range
                           : std::max(usual_range, parts * all * wanted);
  if (chosen_heap == 0) {
    const std::size_t share = made.range_bytes / parts / all / least_heap * least_heap;
    made.heap_bytes = std::clamp(share, least_heap, usual_heap);
  }
  return made;
}

/// How a process keeps global memory. The same at all ranks, but for cache_bytes.
struct memory_options {
  std::size_t range_bytes = std::size_t{1} << 38;    // of addresses, for all arrays and heaps
  std::size_t heap_bytes = std::size_t{256} << 20;   // for allocate() at each rank
  std::size_t cache_bytes = std::size_t{256} << 20;  // of copies of others' memory
  std::size_t block_bytes = 4096;                    // fetched at once; a power of two
  std::size_t moved_bytes = std::size_t{64} << 10;   // the least run whose memory moves to others
  std::size_t populated_bytes = 8192;  // the least run that gets its pages from the system at once
  std::size_t log_entries = notices_for(1);         // of write notices that others can still read
  std::size_t most_notices = std::size_t{1} << 12;  // of one release; else one for all
  bool same_address = true;  // at all ranks; not where these share an OS process
  bool checked = false;      // report conflicting checkouts
  std::size_t check_bytes = std::size_t{512} << 20;  // for that: records at each rank
  bool races_end = true;                             // the process; else they are thrown
  // Nothing of others' memory is kept behind a checkout: each fetches what it reads, and what it
  // wrote is at home at its end.
  bool cached = true;
  // Versions are read with the first fetch already, not only from the first overflow on.
  bool stamps_at_once = false;
  planted_fault fault = planted_fault::none;
};

/// So many of cache_bytes may lie in evicted blocks, for others to come; blocks have the rest.
std::uint64_t spare_bytes(const transport& network, const memory_options& o) noexcept;

/// Collective: throws global::error where the options cannot be used, or ranks disagree.
void expect_usable(transport& network, const memory_options& o);

}  // namespace kasuri::cluster
