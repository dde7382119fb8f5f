// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

std::optional<finding> dependences_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  const double idle = m.no_work + m.barrier_wait;
  if (m.workers() < 2 || m.part(idle) < worth_saying) return {};
  const auto& kinds = m.of.tasks;
  const auto most = std::ranges::max_element(
      kinds, {}, [](const task_kind& t) { return t.dependences > 0 ? t.work_s : -1; });
  if (most == kinds.end() || most->dependences <= 0) return {};
  if (most->work_s < 0.5 * m.all_work()) return {};
  finding f{.rule = "dependences", .where = m.where.of_site(most->site)};
  f.gain_s = m.gain_of(idle / m.workers());
  f.sentence =
      say("The %.0f tasks created%s wait for one another by their dependences, so %.1f run "
          "at once on average: %s.",
          most->count, at_place(f.where).c_str(), m.all_work() / m.seconds(),
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice =
      "Look at the variable of its depend clause: in instead of inout where tasks only read, "
      "one variable for each part.";
  return f;
}

}  // namespace kasuri::report
