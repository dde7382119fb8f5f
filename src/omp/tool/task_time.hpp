// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a profile keeps of a task, from its creation to its end.

#include <atomic>
#include <cstdint>

#include "profile/strand/strand.hpp"

namespace kasuri::omp {

namespace sums {
class meeting;
}

namespace tool {

struct task_time {
  profile::strand strand;              // before the task begins: the path that leads to it
  sums::meeting* children = nullptr;   // where the paths of its children meet; null: none was made
  std::uint64_t own = 0;               // ticks that it ran
  std::uint64_t created = 0;           // when, in ticks
  std::uint64_t ready = 0;             // when the last task that it depends on had ended
  std::atomic<bool> path_held{false};  // a lock: tasks that it depends on end at the same time
  bool left = false;  // of the task outside all regions: its thread is somewhere else
  bool depends = false;
  bool at_once = false;    // its creator waits for its end
  bool dropped = false;    // it was cancelled
  bool outer_ran = false;  // the task that it interrupted was not in a wait
};

}  // namespace tool
}  // namespace kasuri::omp
