// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

// A few long tasks that are no multiple of the workers: the last ones run while others idle.
std::optional<finding> uneven_tasks_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  constexpr double few = 8;  // for each worker
  if (m.workers() < 2 || m.part(m.no_work) < worth_saying) return {};
  const auto& kinds = m.of.tasks;
  const auto most = std::ranges::max_element(kinds, {}, &task_kind::work_s);
  if (most == kinds.end() || most->count < 1 || most->dependences > 0) return {};
  const double each = most->work_s / most->count;
  const bool too_few = most->count < few * m.workers() && most->count >= m.workers() &&
                       each > 0.1 * m.seconds() && most->work_s > 0.7 * m.all_work();
  if (!too_few) return {};
  finding f{.rule = "uneven_tasks", .where = m.where.of_site(most->site)};
  f.gain_s = m.no_work / m.workers();
  f.sentence =
      say("%.0f tasks of about %s%s are too few for %d workers: the last ones run while "
          "others have nothing to do: %s.",
          most->count, duration(each).c_str(), at_place(f.where).c_str(), m.workers(),
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Divide them into more parts: ten for each worker, or fork inside of them.";
  return f;
}

}  // namespace kasuri::report
