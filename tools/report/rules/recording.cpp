// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

std::optional<finding> recording_rule(const measures& m) {
  constexpr double worth_saying = 0.05;
  const double lost = m.of.samples_lost_s;
  if (m.of.watcher_s < worth_saying * m.capacity && lost <= worth_saying * m.all_work()) return {};
  finding f{.rule = "recording", .where = {}};
  f.gain_s = m.of.watcher_s / m.workers();
  const std::string without_room =
      lost > 0 ? say(" and found no room for %s of samples", duration(lost).c_str())
               : std::string();
  f.sentence = say("The recording itself took %s of processor time%s: the figures are unsure.",
                   duration(m.of.watcher_s).c_str(), without_room.c_str());
  f.advice = "Leave a processor free for it (one worker less), or run longer.";
  return f;
}

}  // namespace kasuri::report
