// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"

namespace kasuri::report {

std::vector<finding> find_all(const measures& m) {
  constexpr rule first[] = {others_rule, recording_rule};
  constexpr rule rest[] = {serial_rule,      parallelism_rule, uneven_tasks_rule, dependences_rule,
                           short_tasks_rule, lock_rule,        imbalance_rule,    stretch_rule,
                           delay_rule,       blocked_rule,     remote_rule,       gil_rule,
                           first_touch_rule};
  constexpr std::size_t most = 3;
  std::vector<finding> found, by_gain;
  for (const rule r : first)
    if (auto f = r(m)) found.push_back(*std::move(f));
  for (const rule r : rest)
    if (auto f = r(m); f && f->gain_s >= least_gain * m.seconds()) by_gain.push_back(*std::move(f));
  std::ranges::stable_sort(by_gain, std::greater{}, &finding::gain_s);
  const bool sure = found.empty();
  for (finding& f : by_gain) {
    f.sure = f.sure && sure;
    if (found.size() < most) found.push_back(std::move(f));
  }
  return found;
}

}  // namespace kasuri::report
