// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace kasuri::cluster {

/// Counts of global memory in one process since it started.
struct memory_counts {
  std::uint64_t hits = 0;             // checkouts that found all they needed here
  std::uint64_t misses = 0;           // checkouts that did not
  std::uint64_t fetched_bytes = 0;    // brought here from other processes
  std::uint64_t refetched_bytes = 0;  // of these, what had been here before and was dropped
  std::uint64_t written_back_bytes = 0;
  std::uint64_t version_checks = 0;  // blocks asked for their version instead of fetched again
  std::uint64_t unchanged = 0;       // of these, those that had not changed
  std::uint64_t evicted_blocks = 0;
  std::uint64_t notices_sent = 0;
  std::uint64_t notices_applied = 0;
  std::uint64_t overflows = 0;  // notices came faster than they were read: everything suspect
  std::uint64_t waited_ns = 0;  // for fetches, write-backs and version checks
};

/// One of them while threads count.
class counter {
 public:
  void add(std::uint64_t n) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const noexcept {
    return value_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> value_{0};
};

struct live_counts {
  counter misses, fetched_bytes, refetched_bytes, written_back_bytes, version_checks, unchanged,
      evicted_blocks, notices_sent, notices_applied, overflows, waited_ns;

  /// Hits are counted by the threads: checkouts/pins.hpp.
  [[nodiscard]] memory_counts read(std::uint64_t hits) const noexcept {
    return {hits,
            misses.get(),
            fetched_bytes.get(),
            refetched_bytes.get(),
            written_back_bytes.get(),
            version_checks.get(),
            unchanged.get(),
            evicted_blocks.get(),
            notices_sent.get(),
            notices_applied.get(),
            overflows.get(),
            waited_ns.get()};
  }
};

}  // namespace kasuri::cluster
