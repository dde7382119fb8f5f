// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/arguments.hpp"
#include "common/bench.hpp"
#include "common/memory.hpp"

/// So many tasks that all wait at once, and then go on: what a blocked task costs, and whether ten
/// times as many cost ten times as much. `one`: the size asked for; `ten`: ten times that.
namespace bench::blocked {

struct problem {
  static constexpr const char* name = "blocked";
  using answer = long;

  explicit problem(const arguments& args)
      : variant(args.variant),
        tasks(args.size_or(100'000, 10'000) * (args.variant == "ten" ? 10 : 1)) {}
  problem rehearsal() const {
    problem small = *this;
    small.tasks = 500;
    return small;
  }
  void prepare() { memory.start(); }
  std::string wrong(long went_on) const {
    if (went_on == tasks) return "";
    return std::to_string(went_on) + " tasks went on, expected " + std::to_string(tasks);
  }
  std::vector<metric> metrics(double seconds, long) const {
    const auto n = static_cast<double>(tasks);
    return {{"time-per-task", "ns", seconds * 1e9 / n},
            {"peak-growth-per-task", "bytes", memory.bytes() / n}};
  }

  std::string variant;
  long tasks;
  memory_growth memory;
};

}  // namespace bench::blocked
