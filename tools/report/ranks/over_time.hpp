// SPDX-License-Identifier: Apache-2.0
// What the ranks of a job did over time, on one axis: that of the rank that started first.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace kasuri::report {

/// A document's `series` or `timeline` of a rank, which started so many seconds behind the first.
struct rank_over_time {
  int rank = 0;
  double start_s = 0;
  nlohmann::json given;
};

/// The sums of all ranks' series. Null: there is none.
nlohmann::json sum_of_series(const std::vector<rank_over_time>& ranks);

/// The groups of all ranks in one timeline, each with its `rank`. Where there would be more than
/// 64, groups beside each other become one: `last_rank` then says up to which rank, `count` how
/// many workers.
nlohmann::json joined_timelines(const std::vector<rank_over_time>& ranks);

}  // namespace kasuri::report
