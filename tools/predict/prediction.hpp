// SPDX-License-Identifier: Apache-2.0
// What recorded runs of one program say of other numbers of workers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "predict/model.hpp"
#include "predict/outcome.hpp"
#include "report/measures.hpp"

namespace kasuri::predict {

/// `runs`: at least one; that with most workers, which shows most of how the program divides, is
/// the last. `workers`: 1 and up to as many as `t` has.
outcome prediction_from(const std::vector<const report::measures*>& runs, const target& t,
                        const std::vector<int>& workers);

/// Rows {workers, speedup} for the page of a report: on 1, 2, 4 and so on workers of one node, up
/// to 64 or twice as many as ran. From this run and, where there is one, that on one worker.
nlohmann::json replayed_speedups(const report::measures& m);

}  // namespace kasuri::predict
