// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/empty_tasks.hpp"
#include "common/protocol.hpp"

/// Spawn an empty task and wait for it, again and again: what one task costs, and with more
/// workers what a thief costs that takes it away each time. Once over many turns, and once by the
/// paper's protocol.
namespace bench::create {

struct costs {
  long ran = 0;   ///< of tasks that count
  double ns = 0;  ///< of a turn among many
  cost by_protocol{};
};

struct problem : empty_tasks {
  static constexpr const char* name = "create";
  using answer = costs;

  explicit problem(const arguments& args) : empty_tasks(args.size_or(2'000'000, 200'000)) {}
  explicit problem(const empty_tasks& tasks) : empty_tasks(tasks) {}
  problem rehearsal() const { return problem(counting()); }
  void prepare() {}
  std::string wrong(const costs& found) const { return empty_tasks::wrong(found.ran); }
  std::vector<metric> metrics(double, const costs& found) const {
    return {{"time-per-task", "ns", found.ns},
            {"cycles-by-protocol", "cycles", found.by_protocol.cycles},
            {"time-by-protocol", "ns", found.by_protocol.ns}};
  }

  /// `solve_all(n)` runs n tasks, empty or counting as the problem is, and returns the count.
  template <class SolveAll>
  costs measured(const SolveAll& solve_all) const {
    costs found;
    if (!counted) found.by_protocol = measure_turn(paper_protocol, solve_all);
    const double start = now();
    found.ran = solve_all(n);
    found.ns = (now() - start) * 1e9 / static_cast<double>(n);
    return found;
  }

  /// As of empty_tasks, for n tasks or fewer.
  template <class... Loop>
  costs solve(const Loop&... loop) const {
    return measured([&](long tasks) {
      empty_tasks some = *this;
      some.n = tasks;
      return some.solve(loop...);
    });
  }
};

}  // namespace bench::create
