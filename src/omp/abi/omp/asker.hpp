// SPDX-License-Identifier: Apache-2.0
#pragma once

// A library that calls omp_in_parallel. To some libraries the function answers as if the process
// had no OpenMP runtime; runtimes/blas/asks.hpp says to which and why.

#include <atomic>

namespace kasuri::omp {

/// Whether the code at `address`, which asks now, is not to know of the region that it is in.
/// `inside`: it is in one. Any thread.
using asker_rule = bool (*)(const void* address, bool inside) noexcept;

// Null: everybody is told. Written once, by a constructor.
inline constinit std::atomic<asker_rule> hides_region_from{nullptr};

inline bool is_told_of_region(const void* address, bool inside) noexcept {
  const asker_rule hides = hides_region_from.load(std::memory_order_relaxed);
  return hides == nullptr || !hides(address, inside);
}

}  // namespace kasuri::omp
