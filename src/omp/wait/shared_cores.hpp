// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether the program shares its cores with other programs.
//
// A member that spins for another one uses up its share of a core. When it is woken later, its
// worker has no claim to run before others have had theirs; meanwhile the waker spins its own share
// away. Two members with a busy process beside each met one barrier in some 2 ms so: a turn of the
// kernel's scheduler. A member that sleeps soon instead runs as soon as it is woken, and the same
// barrier takes 0.1 ms.
//
// New threads are such a case: until the kernel has spread them they may stand on the core of their
// starter, and a start with one region took 1 or 2 ms more, in which one spun for the other.
//
// Two more signs, both seen where time is to spare:
//   a gap     between two looks of a member that spins: its core was taken
//   a delay   from the notice to a suspended member until it goes on
// A sign holds for a while, the longer the sooner it comes again: the end of such a while is a
// trial of the long spin. A sign that was wrong costs wake-ups for that while.

#include <atomic>
#include <cstdint>

namespace kasuri::omp {

/// Any thread may call anything here. Times are of platform::ticks().
class shared_cores {
 public:
  /// The caller lost its core, or waited for one, from `since` to `now`. Short times, such as of an
  /// interrupt or a common wake-up, are no sign.
  void lost(std::uint64_t since, std::uint64_t now) noexcept;

  /// An OS thread for a worker was just started, and may wait for the core of the one that started
  /// it.
  void thread_starts(std::uint64_t now) noexcept;

  /// Whether a sign holds.
  bool likely(std::uint64_t now) const noexcept {
    return now < until_.load(std::memory_order_relaxed) ||
           now < started_until_.load(std::memory_order_relaxed);
  }

  /// How long a member spins while one does.
  static std::uint64_t short_spin_ticks() noexcept;

 private:
  // Each may be written by several at once, and then either is right.
  std::atomic<std::uint64_t> until_{0};
  std::atomic<std::uint64_t> hold_{0};
  std::atomic<std::uint64_t> started_until_{0};
};

/// The program's.
extern constinit shared_cores cores_are_shared;

}  // namespace kasuri::omp
