// SPDX-License-Identifier: Apache-2.0
#pragma once

// The processor that the thread of a worker shares: pool/cpu_shares.hpp, which alone changes it.

#include <atomic>
#include <cstdint>

#include "platform/cpu/affinity.hpp"

namespace kasuri::sched {

/// A worker's seat; under the lock of cpu_shares but for `with`, which its own thread reads without
/// it.
struct cpu_share {
  static constexpr int alone = -1;
  static constexpr int left_behind =
      -2;  // alone; threads that it started may have no more than the one CPU
  static constexpr int held = -3;  // confined to its CPU, which others share
  std::atomic<int> with{alone};    // or the index of the worker whose processor this one shares
  int cpu = -1;                    // where it may run now
  std::uint64_t since = 0;         // platform::clock_ticks_since_boot
  platform::cpu_mask visited;      // where it has run alone since then
  platform::cpu_mask usual;        // where it may run otherwise
};

}  // namespace kasuri::sched
