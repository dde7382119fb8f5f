// SPDX-License-Identifier: Apache-2.0
#include "uts/kernel.hpp"

namespace bench::uts::kernel {

int children(const node& n, int max_depth) { return uts::children(n, max_depth); }
node child(const node& n, int i) { return uts::child(n, i); }

}  // namespace bench::uts::kernel
