// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "queens/board.hpp"

// Compiled once, the same code at the same place in a cache line for every system.
namespace bench::queens::kernel {

/// Where the next queen may stand.
columns safe_columns(const board& b);

}  // namespace bench::queens::kernel
