// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

/// The part of the work that workers of other nodes did.
double far_work(const measures& m, std::ptrdiff_t node) {
  double far = 0;
  for (const account& a : m.of.accounts)
    if (a.node != node) far += a.work_s;
  return far;
}

}  // namespace

// Memory lies where it was first written. That it lies on one node limits a run only if the same
// work takes longer for it: a run on one worker says so; without one it is a guess.
std::optional<finding> first_touch_rule(const measures& m) {
  constexpr double large_kib = 32 * 1024;
  constexpr double nearly_all = 0.8;
  constexpr double worth_saying = 0.2;  // of the work
  constexpr double slower_there = 0.5;  // a guess: by how much of it work on far memory is longer
  const auto& pages = m.of.kib_by_node;
  const double all = std::accumulate(pages.begin(), pages.end(), 0.0);
  const auto most = std::ranges::max_element(pages);
  if (all < large_kib || *most < nearly_all * all) return {};
  const double far = far_work(m, most - pages.begin());
  if (far < worth_saying * m.work) return {};
  const auto stretched = stretched_work(m);
  if (m.on_one != nullptr && !stretched) return {};
  const auto before = m.hot_functions(false);
  finding f{.rule = "first_touch", .where = before.empty() ? place{} : before.front().where};
  f.sure = stretched && stretched->sure;
  f.gain_s = stretched ? stretched->gain_s : slower_there * far / m.workers();
  f.sentence =
      say("%.0f %% of %.3g MB lie on one NUMA node, and workers of others do %.0f %% of the "
          "work. Memory lies where it is first written, most of it%s: %s.",
          100 * *most / all, all * 1024 / 1e6, 100 * far / m.work, at_place(f.where).c_str(),
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice =
      "Let the threads that work on it write it first, each its part, or place it by "
      "kasuri::numa.";
  return f;
}

}  // namespace kasuri::report
