// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What the scheduler of the cluster layer has counted.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// The counts of one rank since its start; none goes back to zero.
struct rank_counters {
  int rank;                        ///< whose
  std::uint64_t steals;            ///< closures taken from other ranks
  std::uint64_t steals_near;       ///< of these, from ranks of the same host
  std::uint64_t steal_trips;       ///< round trips of all steals
  std::uint64_t most_steal_trips;  ///< ... of the one that needed most
  std::uint64_t failed_probes;     ///< looks at a rank that had nothing
  std::uint64_t failed_trips;      ///< round trips of these
  std::uint64_t lost_races;        ///< of these, because another thief was first
  std::uint64_t posted;            ///< forks offered to other ranks
  std::uint64_t taken_back;        ///< of these, not wanted by any
  std::uint64_t sent;         ///< forks sent to a rank: under adws that of their part, by at_home
  std::uint64_t kept;         ///< ... that stayed, since that rank had no room
  std::uint64_t received;     ///< closures that were sent to this rank
  std::uint64_t ran;          ///< closures of other ranks that ended here
  std::uint64_t joined;       ///< forks of this rank that ended elsewhere
  std::uint64_t naps;         ///< times it slept since there was nothing to do
  std::uint64_t waiting_ns;   ///< nanoseconds for which its tasks waited for other ranks, summed
  std::uint64_t stealing_ns;  ///< from the first look of each steal to the closure's start, summed
  std::uint64_t slowest_steal_ns;  ///< ... of the slowest
};

/// The counters of all ranks, in order. In a job of one there are none, but under
/// KASURI_CHECK=checkout. Collective: every rank calls it, outside of tasks. One exchange among all
/// ranks. Ends the job with a line where ranks are in other collective calls.
/// @throw error inside of a task, which one of the ranks runs
/// @par Thread-safety: one thread of each rank at a time in collective calls.
std::vector<rank_counters> counters();

}  // namespace global
}  // namespace kasuri
