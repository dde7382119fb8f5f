// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace kasuri::test {

/// Whether this is a plain build, where tests have their full size.
inline constexpr bool full_size = KASURI_TEST_PERCENT == 100;

/// Whether an emulator runs the program, which neither forks with threads nor starts itself again.
inline constexpr bool emulated = *KASURI_TEST_EMULATOR != '\0';

/// Whether sanitizers watch: they take signals, address space and stack frames for themselves.
inline constexpr bool sanitized = KASURI_TEST_SANITIZED;

/// How often a random or stress test repeats what it does `full` times in a plain build: fewer
/// times, but at least once, where every step is instrumented or emulated.
constexpr int scaled(int full) {
  return static_cast<int>(std::max(1LL, full * static_cast<long long>(KASURI_TEST_PERCENT) / 100));
}

}  // namespace kasuri::test
