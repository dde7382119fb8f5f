// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uts/tree.hpp"

// Compiled once, the same code at the same place in a cache line for every system.
namespace bench::uts::kernel {

int children(const node& n, int max_depth);
node child(const node& n, int i);

}  // namespace bench::uts::kernel
