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
      lock_(f.lock),
      dynamic_(f.dynamic),
      chunk_(f.dynamic && f.chunks > 0 ? f.work / f.chunks * std::max(f.phase.count, 1.0) : 0),
      limit_(f.limit) {}

/// One member does it all: a single, or what is masked.
bool phase_part::is_single() const { return members_ > 1 && longest_ > 0.95 * members_; }

// Where iterations are dealt in blocks, and their work rises along the loop, the longest of P
// members has 2 - 1/P times the mean; and so in proportion for less of a slope. Members that take
// chunks as they come end within one of each other.
times phase_part::on(int workers) const {
  const int members = limit_ > 0 ? std::min(workers, limit_) : workers;
  const double p = members;
  if (is_single()) {
    const double alone = work_ * longest_ / members_;
    return {alone, alone, work_};
  }
  const double mean = work_ / p;
  double longest = mean;
  if (dynamic_)
    longest += chunk_ / 2 * (1 - 1 / p);
  else if (members_ > 1)
    longest *= 1 + (longest_ - 1) / (1 - 1 / members_) * (1 - 1 / p);
  const double by_lock = time_with_lock(work_, lock_, members);
  const double held = members > 1 ? std::min(lock_.held, work_) : 0;
  return {std::max(mean, held), std::min(std::max(longest, by_lock), work_), work_};
}

// A greedy scheduler takes at most work / P and the part of the chain that the others cannot help
// with (Graham, Brent); at least the greater of the two. Chains that run beside other work seldom
// leave workers idle: tasks are begun in the order of their creation.
times tasks_part::on(int workers) const {
  constexpr double idle_beside = 0.15;
  const double p = workers;
  const double others = span_ * (1 - 1 / p);
  const double least = std::max(work_ / p, span_);
  const double less = std::min(work_ / p, others);
  return {least, least + idle_beside * less * less / std::max(least, 1e-12),
          std::max(least, work_ / p + others)};
}

}  // namespace kasuri::predict
