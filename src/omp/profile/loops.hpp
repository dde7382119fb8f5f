// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/base/json.hpp"

namespace kasuri::omp::sums {

void write_loops(profile::json& to);
void begin_loops_anew() noexcept;

}  // namespace kasuri::omp::sums
