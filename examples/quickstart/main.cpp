// SPDX-License-Identifier: Apache-2.0
// Three fork-join programs on all cores, each checked and timed against its serial version.
#include <kasuri/kasuri.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

#include "problem.hpp"

namespace quickstart {
namespace {

constexpr int repetitions = 3;
using times = std::array<double, repetitions>;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(times values) {
  std::sort(values.begin(), values.end());
  return values[repetitions / 2];
}

/// One line of the table; returns whether every run was right.
bool compare(const problem& p) {
  times serial{};
  times parallel{};
  bool right = true;
  const auto timed = [&](const std::function<void()>& version) {
    p.prepare();
    const double time = seconds(version);
    right = p.right() && right;
    return time;
  };
  for (int i = 0; i < repetitions; ++i) {  // in turns, so that a busy moment hits both
    serial[i] = timed(p.serial);
    parallel[i] = timed(p.parallel);
  }
  std::printf("%-12s %-30s %9.3f %10.3f %8.2fx   %s%s\n", p.name.c_str(), p.size.c_str(),
              median(serial), median(parallel), median(serial) / median(parallel),
              right ? "right: " : "WRONG, expected: ", p.checked.c_str());
  std::fflush(stdout);
  return right;
}

int main_program() {
  std::printf("%d workers; seconds, median of %d runs in turns\n\n", kasuri::num_workers(),
              repetitions);
  std::printf("%-12s %-30s %9s %10s %9s   %s\n", "program", "problem", "serial", "parallel",
              "speed-up", "check");
  bool right = true;
  for (const auto& make : {sort_problem, tree_search_problem, queens_problem}) {
    right = compare(make()) && right;
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace quickstart

int main() { return quickstart::main_program(); }
