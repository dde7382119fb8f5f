// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace kasuri::test {

/// How often a random or stress test repeats what it does `full` times in a plain build: fewer
/// times, but at least once, where every step is instrumented or emulated.
constexpr int scaled(int full) {
  return static_cast<int>(std::max(1LL, full * static_cast<long long>(KASURI_TEST_PERCENT) / 100));
}

}  // namespace kasuri::test
