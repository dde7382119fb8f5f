// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a taskloop's iterations are divided.

#include <cstdint>

namespace kasuri::omp {

enum class taskloop_clause { none, grainsize, num_tasks };

/// `tasks` tasks of `chunk` iterations; the first `longer` have one more, and the last one, if
/// `last` is not zero, has so many instead.
struct taskloop_split {
  std::uint64_t tasks;
  std::uint64_t chunk;
  std::uint64_t longer;
  std::uint64_t last;

  std::uint64_t size_of(std::uint64_t task) const noexcept {
    if (last != 0 && task + 1 == tasks) return last;
    return chunk + (task < longer ? 1 : 0);
  }
};

/// iterations > 0. A grain size is a number of iterations that each task has at least, and less
/// than twice as many; with `strict` exactly so many, but for the last one. A number of tasks is
/// taken as it is, if there are so many iterations, strict or not. `threads`: of the team, for no
/// clause.
taskloop_split split_taskloop(std::uint64_t iterations, taskloop_clause clause, std::uint64_t value,
                              bool strict, int threads) noexcept;

}  // namespace kasuri::omp
