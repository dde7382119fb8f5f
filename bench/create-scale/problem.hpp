// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "common/protocol.hpp"

/// All workers at once spawn an empty task and wait for it, again and again, after a barrier: how
/// the cost of a task grows with the number of workers.
namespace bench::create_scale {

struct outcome {
  std::vector<cost> seen;  ///< by each worker
  long ran = 0;            ///< tasks that counted themselves
};

struct problem {
  static constexpr const char* name = "create-scale";
  using answer = outcome;

  explicit problem(const arguments& args)
      : workers(args.workers),
        how{args.size_or(1000, 500), args.quick ? 11 : 31, args.quick ? 2 : 5} {}

  problem rehearsal() const {
    problem small = *this;
    small.how = {100, 2, 1};
    small.counted = true;
    return small;
  }
  void prepare() {}

  std::string wrong(const outcome& found) const {
    if (found.seen.size() != static_cast<std::size_t>(workers)) return "workers are missing";
    const long expected = counted ? workers * how.turns * how.repetitions : 0;
    if (found.ran == expected) return "";
    return std::to_string(found.ran) + " of " + std::to_string(expected) + " tasks ran";
  }

  std::vector<metric> metrics(double, const outcome& found) const {
    cost mean;
    double slowest = 0;
    for (const cost& one : found.seen) {
      mean.cycles += one.cycles / workers;
      mean.ns += one.ns / workers;
      slowest = std::max(slowest, one.cycles);
    }
    return {{"cycles-per-task", "cycles", mean.cycles},
            {"time-per-task", "ns", mean.ns},
            {"cycles-of-slowest", "cycles", slowest}};
  }

  int workers;
  protocol how;
  bool counted = false;
};

}  // namespace bench::create_scale
