// SPDX-License-Identifier: Apache-2.0
#pragma once

// The text by which `kasuri run --cluster` tells a rank its seat: KASURI_JOB=DESCRIPTOR:RANK.

#include <optional>
#include <string>
#include <string_view>

namespace kasuri::cluster {

struct job_place {
  int descriptor = -1;  // of the job's file, which the process has inherited
  int rank = 0;
};

std::string job_place_text(const job_place& place);
std::optional<job_place> parse_job_place(std::string_view text);

}  // namespace kasuri::cluster
