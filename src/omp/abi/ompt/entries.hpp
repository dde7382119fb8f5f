// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "omp/tool/types.hpp"

namespace kasuri::omp::tool {

/// The runtime's function of that name for tools, or null.
function find_entry(const char* name) noexcept;

}  // namespace kasuri::omp::tool
