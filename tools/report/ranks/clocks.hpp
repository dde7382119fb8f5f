// SPDX-License-Identifier: Apache-2.0
// When the ranks of a job started, on one clock. The clocks of one host are one. Those of two hosts
// are bounded by the meetings of the ranks: nobody goes on before all have come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kasuri::report {

struct meeting {
  std::int64_t came = 0;  // ns since 1970, by the clock of the host
  std::int64_t went_on = 0;
};

struct rank_clock {
  std::string host = {};
  std::int64_t started = 0;  // as above
  std::vector<meeting> meetings = {};
};

struct rank_start {
  double s = 0;         // behind the first of all
  double off_by_s = 0;  // at most so much, against the clock of the first rank; -1: unknown
};

/// In the order of `ranks`; the first one's clock is the measure.
std::vector<rank_start> starts_of(const std::vector<rank_clock>& ranks);

}  // namespace kasuri::report
