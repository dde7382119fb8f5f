// SPDX-License-Identifier: Apache-2.0
#pragma once

// The counts of a rank's scheduler. Several workers count at a time; each number is right at the
// end.

#include <atomic>
#include <cstdint>

#include "kasuri/global/counters.hpp"

namespace kasuri::cluster {

class event_count {
 public:
  void add(std::uint64_t n = 1) noexcept { n_.fetch_add(n, std::memory_order_relaxed); }
  void at_least(std::uint64_t n) noexcept {
    std::uint64_t seen = n_.load(std::memory_order_relaxed);
    while (seen < n && !n_.compare_exchange_weak(seen, n, std::memory_order_relaxed)) {
    }
  }
  std::uint64_t get() const noexcept { return n_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> n_{0};
};

struct sched_counters {
  event_count steals, steals_near, steal_trips, most_steal_trips, failed_probes, failed_trips;
  event_count lost_races, posted, taken_back, sent, kept, received, ran, joined, naps;
  event_count waiting_ns, stealing_ns, slowest_steal_ns;

  global::rank_counters read(int rank) const {
    return {rank,
            steals.get(),
            steals_near.get(),
            steal_trips.get(),
            most_steal_trips.get(),
            failed_probes.get(),
            failed_trips.get(),
            lost_races.get(),
            posted.get(),
            taken_back.get(),
            sent.get(),
            kept.get(),
            received.get(),
            ran.get(),
            joined.get(),
            naps.get(),
            waiting_ns.get(),
            stealing_ns.get(),
            slowest_steal_ns.get()};
  }
};

}  // namespace kasuri::cluster
