// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/empty_tasks.hpp"

/// Spawn an empty task and wait for it, again and again: what one task costs, and with more
/// workers what a thief costs that takes it away each time.
namespace bench::create {

struct problem : empty_tasks {
  static constexpr const char* name = "create";

  explicit problem(const arguments& args) : empty_tasks(args.size_or(2'000'000, 200'000)) {}
  explicit problem(const empty_tasks& tasks) : empty_tasks(tasks) {}
  problem rehearsal() const { return problem(counting()); }
  void prepare() {}
  std::vector<metric> metrics(double seconds, long) const {
    return {{"time-per-task", "ns", seconds * 1e9 / static_cast<double>(n)}};
  }
};

}  // namespace bench::create
