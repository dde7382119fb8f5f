// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/empty_tasks.hpp"
#include "common/memory.hpp"

/// Many empty tasks from one parent, one wait: time a task, and how far memory grows meanwhile.
namespace bench::flat {

struct problem : empty_tasks {
  static constexpr const char* name = "flat";
  static constexpr bool of_groups = true;  ///< nothing to pair

  explicit problem(const arguments& args) : empty_tasks(args.size_or(1'000'000, 100'000)) {}
  explicit problem(const empty_tasks& tasks) : empty_tasks(tasks) {}
  problem rehearsal() const { return problem(counting()); }
  void prepare() { memory.start(); }
  std::vector<metric> metrics(double seconds, long) const {
    return {{"time-per-task", "ns", seconds * 1e9 / static_cast<double>(n)},
            {"peak-growth", "bytes", memory.bytes()}};
  }

  memory_growth memory;
};

}  // namespace bench::flat
