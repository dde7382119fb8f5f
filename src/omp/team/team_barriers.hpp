// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words by which the members of a team meet in its barriers; work/barrier.cpp has the whole
// protocol.
//
//   arrivals   members that have come to the present barrier, and how many of them queued tasks
//              (barrier.cpp). The last one sets it back to zero. Small teams on OS threads leave it
//              alone: there each member writes its own word (member::arrived).
//   draining   the number of the barrier that all members have reached and in which tasks are left.
//              The last one to arrive writes it.
//   ended      the number of the last barrier that has ended. It never goes down.

#include <atomic>
#include <cstdint>

namespace kasuri::omp {

struct team_barriers {
  alignas(64) std::atomic<std::uint64_t> arrivals{0};
  alignas(64) std::atomic<std::uint64_t> ended{0};
  std::atomic<std::uint64_t> draining{0};
};

}  // namespace kasuri::omp
