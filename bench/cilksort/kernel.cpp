// SPDX-License-Identifier: Apache-2.0
#include "cilksort/kernel.hpp"

#include <algorithm>

namespace bench::cilksort::kernel {

void sort(keys data) { std::sort(data.begin(), data.end()); }

void merge(keys a, keys b, keys out) {
  std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
}

}  // namespace bench::cilksort::kernel
