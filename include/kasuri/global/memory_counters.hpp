// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What global memory has done in this process.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstdint>

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// Counted since the start, in this process; none goes back to zero. Sizes are bytes. In a job of
/// one rank all stay 0.
struct memory_counters {
  /// Checkouts that found all they needed here. New blocks for writing are neither hits nor misses.
  std::uint64_t hits;
  std::uint64_t misses;              ///< fetches, of up to 1,024 blocks each; those begun ahead too
  std::uint64_t fetched_bytes;       ///< brought here from other processes
  std::uint64_t refetched_bytes;     ///< of these, of blocks that had been here before
  std::uint64_t written_back_bytes;  ///< brought home
  std::uint64_t version_checks;      ///< blocks asked for their version instead of fetched again
  std::uint64_t unchanged;           ///< of these, that had not changed
  std::uint64_t evicted_blocks;      ///< dropped for want of room
  std::uint64_t waited_ns;           ///< nanoseconds of waiting for the network, of all threads
};

/// What this process has counted, of all its threads. Others count on meanwhile. No message.
/// @par Thread-safety: any thread.
memory_counters count_memory();

}  // namespace global
}  // namespace kasuri
