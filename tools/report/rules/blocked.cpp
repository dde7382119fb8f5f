// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

// Sleep in futex() is for a lock: lock_rule.
std::optional<finding> blocked_rule(const measures& m) {
  constexpr double worth_saying = 0.05;
  const auto sleeps = m.sleeps();
  const auto most =
      std::ranges::find_if(sleeps, [](const slept_place& s) { return s.call != "futex()"; });
  if (most == sleeps.end() || m.part(most->seconds) < worth_saying) return {};
  finding f{.rule = "blocked", .where = most->where};
  // Others run meanwhile, as long as there is work for them; to let them, and to come back, is a
  // wake each.
  double all = 0;
  for (const slept_place& s : sleeps) all += s.seconds;
  const double times = m.times_slept() * most->seconds / all;
  const double wakes_s = 2 * measures::way_of_a_sleeper_s * times;
  f.gain_s = m.gain_of(std::max(0.0, most->seconds - wakes_s) / m.workers());
  f.sentence = say("Tasks sleep in %s%s for %s in all, and their workers with them: %s.",
                   most->call.c_str(), at_place(f.where).c_str(), duration(most->seconds).c_str(),
                   how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Put the call into kasuri::blocking, so that another thread runs tasks meanwhile.";
  return f;
}

}  // namespace kasuri::report
