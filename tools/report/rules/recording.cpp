// SPDX-License-Identifier: Apache-2.0
#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

std::optional<finding> recording_rule(const measures& m) {
  constexpr double worth_saying = 0.05;
  const double lost = m.of.samples_lost_s;
  if (m.of.watcher_s < worth_saying * m.capacity && lost < worth_saying * m.all_work()) return {};
  finding f{.rule = "recording", .where = {}};
  f.gain_s = m.of.watcher_s / m.workers();
  f.sentence =
      say("The recording itself took %s of processor time and found no room for %s of "
          "samples: the figures are unsure.",
          duration(m.of.watcher_s).c_str(), duration(lost).c_str());
  f.advice = "Leave a processor free for it (one worker less), or run longer.";
  return f;
}

}  // namespace kasuri::report
