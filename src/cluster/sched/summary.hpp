// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kasuri/global/counters.hpp"

namespace kasuri::cluster {

/// Rank 0 writes the counters of all ranks, and their sums, to stderr as a table.
void print_summary(const std::vector<global::rank_counters>& all, int rank);

}  // namespace kasuri::cluster
