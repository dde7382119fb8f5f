// SPDX-License-Identifier: Apache-2.0
// The report of a job: what its ranks have in common with a run of one process is that of all of
// them, the findings are those of one.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/ranks/job.hpp"

namespace kasuri::report {

/// `document` is the report of the job's main rank. Of a run of one process it stays as it is.
void add_ranks(nlohmann::json& document, const job& j);

}  // namespace kasuri::report
