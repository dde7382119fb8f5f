// SPDX-License-Identifier: Apache-2.0
#include "predict/parts.hpp"

#include <algorithm>

namespace kasuri::predict {

times serial_part::on(int) const { return {seconds_, seconds_, seconds_}; }

phase_part::phase_part(const phase_facts& f)
    : where_(f.where),
      work_(f.work),
      longest_(f.phase.mean_s > 0 ? std::max(1.0, f.phase.max_s / f.phase.mean_s) : 1),
      members_(std::max(f.phase.members, 1.0)),
      held_(f.held),
      dynamic_(f.dynamic),
      limit_(f.limit) {}

// Where iterations are dealt in blocks, and their work rises along the loop, the longest of P
// members has 2 - 1/P times the mean; and so in proportion for less of a slope. Members that take
// chunks as they come end together.
times phase_part::on(int workers) const {
  const double p = limit_ > 0 ? std::min(workers, limit_) : workers;
  const double mean = work_ / p;
  double slope = 0;
  if (!dynamic_ && members_ > 1) slope = (longest_ - 1) / (1 - 1 / members_);
  const double longest = mean * (1 + slope * (1 - 1 / p));
  return {std::max(mean, held_), std::max(longest, held_), std::max(mean * p, held_)};
}

// A greedy scheduler takes at most work / P and the part of the chain that the others cannot help
// with (Graham, Brent); at least the greater of the two.
times tasks_part::on(int workers) const {
  const double p = workers;
  const double greedy = work_ / p + span_ * (1 - 1 / p);
  const double least = std::max(work_ / p, span_);
  return {least, (least + greedy) / 2, greedy};
}

}  // namespace kasuri::predict
