// SPDX-License-Identifier: Apache-2.0
#include "omp/work/taskloop.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

// Without a clause: enough for a fair share when tasks differ.
constexpr std::uint64_t tasks_per_thread = 4;

}  // namespace

taskloop_split split_taskloop(std::uint64_t iterations, taskloop_clause clause, std::uint64_t value,
                              bool strict, int threads) noexcept {
  KASURI_EXPECT(cheap, iterations != 0 && threads > 0, "%lu iterations, %d threads", iterations,
                threads);
  value = std::clamp<std::uint64_t>(value, 1, iterations);
  std::uint64_t tasks = value;
  if (clause == taskloop_clause::grainsize) {
    tasks = iterations / value;
    if (strict) {
      const std::uint64_t last = iterations % value;
      return {tasks + (last != 0 ? 1 : 0), value, 0, last};
    }
  } else if (clause == taskloop_clause::none) {
    tasks = std::min(iterations, tasks_per_thread * static_cast<std::uint64_t>(threads));
  }
  KASURI_EXPECT(cheap, tasks != 0 && tasks <= iterations, "%lu tasks of %lu iterations", tasks,
                iterations);
  return {tasks, iterations / tasks, iterations % tasks, 0};
}

}  // namespace kasuri::omp
