// SPDX-License-Identifier: Apache-2.0
#include "queens/kernel.hpp"

namespace bench::queens::kernel {

columns safe_columns(const board& b) { return b.safe_columns(); }

}  // namespace bench::queens::kernel
