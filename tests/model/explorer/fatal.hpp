// SPDX-License-Identifier: Apache-2.0
// The explorer was used beyond its limits, or is itself at fault: say so and end.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace kasuri::model {

[[noreturn]] inline void fatal(const char* what) {
  std::fprintf(stderr, "model explorer: %s\n", what);
  std::abort();
}

}  // namespace kasuri::model
