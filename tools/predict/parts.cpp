// SPDX-License-Identifier: Apache-2.0
#include "predict/parts.hpp"

#include <algorithm>

namespace kasuri::predict {

times serial_part::on(int) const { return {seconds_, seconds_, seconds_}; }

phase_part::phase_part(const report::phase& p, std::string where, bool dynamic, int limit)
    : where_(std::move(where)),
      work_(p.busy_s - p.lock_s),
      longest_(p.mean_s > 0 ? std::max(1.0, p.max_s / p.mean_s) : 1),
      members_(std::max(p.members, 1.0)),
      held_(p.lock_s > 0 ? p.max_s - p.lock_s / std::max(p.members, 1.0) : 0),
      dynamic_(dynamic),
      limit_(limit) {}

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
