// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tells which tasks of a fork-join program are parallel, whatever the schedule.
//
// A fork is a record of 16 bytes at the rank that forks: the task that forked, how many forks that
// task had behind it, how deep it lies. A task is its fork and its side, 0 or 1; in a number of
// eight bytes that travels with the closure and means the same at all ranks. A point of the program
// is a task and how many forks it has behind it. So a task's path from the root, read upwards, is
// its label: fork and side at each level (the offset-span labels of Mellor-Crummey, "On-the-fly
// detection of data races for programs with nested fork-join parallelism", SC '91, for forks of
// two, with the common part shared). Of two points
//
//   the paths part at the two sides of one fork     parallel, side 0 to the left
//   the paths part at different forks of a task     the earlier fork's is before
//   one's path is the beginning of the other's:
//   the task, with c forks behind it, and its
//   fork number n (counted from 0)                  before the fork where c <= n, else behind it
//
// Nothing is ever forgotten before the end of the run: 16 bytes a fork.

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "cluster/base/coherence.hpp"
#include "cluster/check/arena.hpp"
#include "cluster/transport/network_lock.hpp"

namespace kasuri::cluster {

/// Of two points: how the first lies to the second. `same`: the same task, no fork between.
enum class relation : std::uint8_t { same, before, behind, left, right };

constexpr bool parallel(relation r) noexcept { return r == relation::left || r == relation::right; }

class task_tree {
 public:
  static constexpr std::uint64_t root = coherence::root_task;

  explicit task_tree(arena& records);

  /// The task at `at` forks: the number of the new task of side 0; that of side 1 is the next. Any
  /// thread.
  std::uint64_t fork(const program_point& at);

  /// How a lies to b. Any thread.
  relation compare(const program_point& a, const program_point& b);

  /// The path of a task for people: "root", or "2L.1R", the left task of the second fork of the
  /// root, and of that one's first fork the right one.
  std::string path(std::uint64_t task);

  /// The run is over: all tasks are forgotten. The arena is cleared by its owner.
  void clear();

 private:
  struct fork_record {
    std::uint64_t parent;
    std::uint32_t number;  // forks that the parent had behind it
    std::uint32_t depth;   // of the children; the root has 0
  };
  static constexpr std::uint64_t chunk = 256 * sizeof(fork_record);  // taken at a time
  static constexpr unsigned rank_at = 40;  // of a fork's number; below it its place there

  fork_record record_of(std::uint64_t task);
  std::uint32_t depth_of(std::uint64_t task);

  arena& records_;
  network_lock taking_;  // guards the next two
  std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
  std::mutex lock_;  // guards the next; not held while the network is waited for
  std::unordered_map<std::uint64_t, fork_record> of_others_;  // forks of other ranks, by number
};

}  // namespace kasuri::cluster
