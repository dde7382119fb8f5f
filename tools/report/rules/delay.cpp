// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

place blamed_most(const measures& m) {
  auto functions = m.hot_functions(true);
  std::ranges::sort(functions, std::greater{}, &hot_place::blamed_s);
  return functions.empty() ? place{} : functions.front().where;
}

}  // namespace

// Tasks were ready and workers idle. Either these were asleep, and woke too late, or the owner of
// the tasks gave none away for long.
std::optional<finding> delay_rule(const measures& m) {
  constexpr double worth_saying = 0.05;
  constexpr double longest_wake_s = 500e-6;
  constexpr double longest_call_s = 30e-6;
  const double awake = m.seconds() * m.workers() - m.asleep;
  if (m.workers() < 2 || m.delay < worth_saying * awake) return {};
  double wakes = 0;
  double calling = 0;
  for (const account& a : m.of.accounts) {
    wakes += a.wakes;
    calling += a.calling_s;
  }
  const bool waking = wakes > 0 && m.delay / wakes < longest_wake_s;
  finding f{.rule = waking ? "wake" : "late_steal", .where = blamed_most(m)};
  // A call that took longer was held up by something else.
  calling = std::min(calling, wakes * longest_call_s);
  f.gain_s = (m.delay + (waking ? calling : 0)) / m.workers();
  if (waking) {
    f.sentence =
        say("Work was ready but reached sleeping workers late, %.0f times, %s each: %s.", wakes,
            duration(m.delay / wakes).c_str(), how_much_faster(m.seconds(), f.gain_s).c_str());
    // A worker that stays awake takes a processor from other programs, and from the program too.
    f.advice = m.part_of_others() < 0.05
                   ? "Offer more at once and less often, or let idle workers stay awake for longer "
                     "(KASURI_SPIN, in microseconds)."
                   : "Offer more at once and less often.";
  } else {
    f.sentence =
        say("Tasks waited for %s in all behind what runs%s, which meets no scheduling point: "
            "%s.",
            duration(m.delay).c_str(), at_place(f.where).c_str(),
            how_much_faster(m.seconds(), f.gain_s).c_str());
    f.advice = "Divide that part, or fork it last.";
  }
  return f;
}

}  // namespace kasuri::report
