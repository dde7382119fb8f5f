// SPDX-License-Identifier: Apache-2.0
#include "predict/stretch.hpp"

#include <algorithm>

namespace kasuri::predict {

stretch::stretch(std::vector<measured_work> runs) : runs_(std::move(runs)) {
  std::ranges::sort(runs_, {}, &measured_work::workers);
  if (runs_.size() < 2 || runs_.front().seconds <= 0) return;
  const measured_work& a = runs_.front();
  const measured_work& b = runs_.back();
  if (a.workers == b.workers) return;
  constexpr double noise = 1.03;
  const double factor = b.seconds / a.seconds;
  if (factor > noise) slope_ = (factor - 1) / (b.workers - a.workers);
}

// Least: it stays as it was last seen. Most and expected: it goes on growing, as where a shared
// memory is the limit; such work takes as long on any number of workers.
stretch_band stretch::on(int workers) const {
  if (slope_ <= 0) return {};
  const int first = runs_.front().workers;
  const int last = runs_.back().workers;
  const double grown = 1 + slope_ * std::max(0, workers - first);
  const double kept = 1 + slope_ * (std::clamp(workers, first, last) - first);
  return {kept, workers <= last ? grown : (kept + grown) / 2, grown};
}

}  // namespace kasuri::predict
