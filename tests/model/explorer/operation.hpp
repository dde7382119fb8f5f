// SPDX-License-Identifier: Apache-2.0
// What a thread of the modelled program is about to do, and which two such things commute.
#pragma once

#include <atomic>   // for memory_order
#include <cstdint>  // for fixed-width integers

namespace kasuri::model {

inline constexpr int max_threads = 4;
inline constexpr int max_locations = 32;

/// A process is what the scheduler can choose: a thread, or the barrier that another thread's
/// fence_heavy() has sent to a thread and that has not arrived yet.
inline constexpr int max_processes = 2 * max_threads;
using process_set = std::uint32_t;   ///< one bit per process
using location_set = std::uint32_t;  ///< one bit per atomic location

constexpr int barrier_for(int thread) { return max_threads + thread; }
constexpr bool is_barrier(int process) { return process >= max_threads; }
constexpr int thread_of(int process) { return process % max_threads; }
constexpr std::uint32_t bit(int index) { return std::uint32_t{1} << index; }

enum class action : std::uint8_t {
  load,
  store,
  read_modify_write,
  compare_exchange,
  fence,        // acquire, release or sequentially consistent
  light_fence,  // a compiler barrier, the owner's half of the asymmetric pair
  heavy_begin,  // the thief's half: ask every other thread for a barrier ...
  heavy_end,    // ... and go on when all of them have executed it
  barrier,      // the barrier arrives at one thread
  futex_wait,
  futex_woken,
  futex_wake,
  change,  // pause() returns: something that was looked at has changed
};

struct operation {
  action what = action::load;
  std::memory_order order = std::memory_order_relaxed;
  std::int8_t location = -1;
  bool sequential = false;  // takes part in the single order of sequentially consistent operations
  location_set reads = 0;
  location_set writes = 0;
};

/// True when the order of the two operations, by the two processes, can make a difference.
constexpr bool dependent(int p, const operation& a, int q, const operation& b) {
  if ((a.writes & (b.reads | b.writes)) != 0 || (b.writes & a.reads) != 0) return true;
  if (a.sequential && b.sequential) return true;
  if (thread_of(p) != thread_of(q)) return false;
  return a.what == action::light_fence || b.what == action::light_fence;
}

}  // namespace kasuri::model
