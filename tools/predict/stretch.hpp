// SPDX-License-Identifier: Apache-2.0
// How much more processor time the same work takes on more workers: from the runs that were
// recorded, and no further than they carry.
#pragma once

#include <vector>

namespace kasuri::predict {

struct measured_work {
  int workers = 1;
  double seconds = 0;  // processor time of all tasks
};

/// A factor of the work at P workers, relative to the run with fewest.
struct stretch_band {
  double least = 1;
  double expected = 1;
  double most = 1;
};

class stretch {
 public:
  /// One run says nothing of it.
  explicit stretch(std::vector<measured_work> runs);
  [[nodiscard]] stretch_band on(int workers) const;
  /// There are two runs, and the work grew between them.
  [[nodiscard]] bool seen() const { return slope_ > 0; }

 private:
  std::vector<measured_work> runs_;  // by workers
  double slope_ = 0;                 // of the factor, for each worker more
};

}  // namespace kasuri::predict
