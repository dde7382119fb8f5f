// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

/// Idle time for want of tasks while the program was inside of its parallel constructs.
double idle_in_constructs(const measures& m) {
  double alone_outside = 0;
  for (const hot_place& h : m.hot(false)) alone_outside += h.alone_s;
  return m.no_work - alone_outside * (m.workers() - 1);
}

/// Where the longest chain of the program is longest, by its sites; else what ran while others were
/// idle.
place where_it_is(const measures& m) {
  auto functions = m.hot_functions(true);
  std::ranges::sort(functions, std::greater{}, &hot_place::blamed_s);
  if (!functions.empty() && functions.front().blamed_s > 0) return functions.front().where;
  const auto& path = m.of.critical.path;
  const auto most = std::ranges::max_element(path, {}, &path_part::s);
  return most != path.end() ? m.where.of_site(most->site) : place{};
}

}  // namespace

std::optional<finding> parallelism_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  const double idle = idle_in_constructs(m);
  if (m.workers() < 2 || m.part(idle) < worth_saying) return {};
  if (dependences_rule(m) || uneven_tasks_rule(m)) return {};  // they say why
  finding f{.rule = "parallelism", .where = where_it_is(m)};
  f.gain_s = m.gain_of(idle / m.workers());
  const std::string chain =
      m.span() > 0 ? say(" (%s of work, the longest chain takes %s)",
                         duration(m.of.critical.work_s).c_str(), duration(m.span()).c_str())
                   : "";
  f.sentence =
      say("The program offers %.1f things to do at once on average%s; what runs while "
          "workers have nothing to do is%s: %s.",
          m.all_work() / m.seconds(), chain.c_str(), at_place(f.where).c_str(),
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Divide that part, or start it earlier.";
  return f;
}

}  // namespace kasuri::report
