// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

/// What creating and ending one costs, in seconds: docs/design/core.md and openmp.md have the
/// figures.
double cost_of(const task_kind& t, int workers) {
  // Where creation was timed: to queue it, take it up and end it is not in that.
  constexpr double rest = 30e-9;
  if (t.create_s > 0 && t.count > 0) return t.create_s / t.count + rest;
  if (t.kind == "fork") return 3e-9;
  if (t.kind == "task") return 100e-9;
  // Others take some: 36 ns a task in tests/report/programs/tasks/short_tasks.cpp on two.
  return workers > 1 ? 35e-9 : 25e-9;
}

/// What a run without a recording would take of this one's time. What workers worked beyond the
/// measured work, and what it takes to start and end tasks, went into the recording: for short ones
/// it takes as long as they do, and all else was longer with it.
double without_recording(const measures& m, double in_tasks) {
  const double measured = m.of.critical.work_s;
  return measured > 0 && m.work > 0 ? std::min(1.0, (measured + in_tasks) / m.work) : 1;
}

double own_time(const task_kind& t) {
  double below = 0;
  for (std::size_t i = 0; i != t.log2_ns.size(); ++i) {
    below += t.log2_ns[i];
    if (below >= t.count / 2) return std::ldexp(1.5e-9, static_cast<int>(i));
  }
  return t.count > 0 ? t.work_s / t.count : 0;
}

}  // namespace

std::optional<finding> short_tasks_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  constexpr double times_the_cost = 20;
  constexpr double good_length = 20e-6;
  const auto& kinds = m.of.tasks;
  const auto most = std::ranges::max_element(
      kinds, {}, [&m](const task_kind& t) { return t.count * cost_of(t, m.workers()); });
  if (most == kinds.end() || most->count < 1000) return {};
  const double in_tasks = most->count * cost_of(*most, m.workers());
  const double stays = without_recording(m, in_tasks);
  const double spent = in_tasks + stays * m.runtime;
  const double length = own_time(*most);
  const double all = m.seconds() * m.workers();
  const double part = spent / std::max(stays * all, spent);
  if (part < worth_saying || length > times_the_cost * cost_of(*most, m.workers())) return {};
  finding f{.rule = "short_tasks", .where = m.where.of_site(most->site)};
  f.gain_s = std::min(part * all, m.work) / m.workers();
  f.sentence =
      say("Tasks of about %s%s are too short: to start and end them takes %.0f %% of the "
          "time: %s.",
          duration(length).c_str(), at_place(f.where).c_str(), 100 * part,
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = say("Let each task do the work of %.0f (about %s).",
                 std::ceil(good_length / std::max(length, 1e-9)), duration(good_length).c_str());
  return f;
}

}  // namespace kasuri::report
