// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

namespace {

/// The site of the samples that others were idle beside most.
int blamed_site(const measures& m) {
  std::map<int, double> by_site;
  for (const sample& s : m.of.samples)
    if (s.site != 0) by_site[s.site] += s.blamed_s;
  const auto most = std::ranges::max_element(by_site, {}, [](const auto& e) { return e.second; });
  return most == by_site.end() ? 0 : most->first;
}

}  // namespace

// Tasks in numbers that are no multiple of the workers: the last ones run while others idle. What
// runs then is the tasks themselves, which do nearly all of the work; where it is what creates or
// joins them, the program wants of parallelism.
std::optional<finding> uneven_tasks_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  constexpr double nearly_all = 0.7;
  constexpr double long_enough_s = 100e-6;
  if (m.workers() < 2 || m.part(m.no_work) < worth_saying) return {};
  const auto& kinds = m.of.tasks;
  const auto most = std::ranges::find(kinds, blamed_site(m), &task_kind::site);
  if (most == kinds.end() || most->count < m.workers() || most->dependences > 0) return {};
  const double each = most->work_s / most->count;
  if (each < long_enough_s || most->work_s < nearly_all * m.all_work()) return {};
  finding f{.rule = "uneven_tasks", .where = m.where.of_site(most->site)};
  f.gain_s = m.gain_of(m.no_work / m.workers());
  f.sentence =
      say("The tasks%s, of about %s each, are too few at a time, or no multiple of %d workers: the "
          "last "
          "ones run while others have nothing to do: %s.",
          at_place(f.where).c_str(), duration(each).c_str(), m.workers(),
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Divide them into more parts: ten for each worker, or fork inside of them.";
  return f;
}

}  // namespace kasuri::report
