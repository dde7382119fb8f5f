// SPDX-License-Identifier: Apache-2.0
#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

std::optional<finding> others_rule(const measures& m) {
  constexpr double worth_saying = 0.05;
  const double throttled = m.of.machine.throttled_s;
  if (m.part_of_others() < worth_saying && throttled < worth_saying * m.seconds()) return {};
  finding f{.rule = "others", .where = {}};
  f.gain_s = m.others / m.workers();
  if (throttled >= worth_saying * m.seconds())
    f.sentence = say("The quota of %.3g CPUs stopped the program for %s.", m.of.machine.quota_cpus,
                     duration(throttled).c_str());
  else
    f.sentence = say(
        "Other programs took %.0f %% of the processor time that the program's threads "
        "wanted, so all other figures are unsure; they are of the %s that it would have taken "
        "alone.",
        100 * m.others / (m.others + m.work + m.serial + m.runtime), duration(m.seconds()).c_str());
  f.advice = "Run it again on a quiet machine, or with fewer workers (`top` shows what else runs).";
  return f;
}

}  // namespace kasuri::report
