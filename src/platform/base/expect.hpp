// SPDX-License-Identifier: Apache-2.0
#pragma once

// Invariants that run. The build chooses a level (KASURI_EXPECT in cmake/options.cmake): the debug
// tree and the trees under sanitizers run all of them, a release runs none and contains none.
//
//   cheap   a comparison of values that the code has at hand
//   all     also what costs more than the code around it: walks over whole structures
//
// A condition must not change anything. When it does not hold, the process ends with one line that
// names the place, the condition, and the state that the printf-style rest of the arguments
// describes:
//
//   KASURI_EXPECT(cheap, split <= depth, "split %u, frames %u", split, depth);

namespace kasuri::platform {

enum class expect_level { off, cheap, all };

inline constexpr auto expectations = static_cast<expect_level>(KASURI_EXPECT_LEVEL);

/// Ends the process. Callable from any thread and any stack.
[[noreturn, gnu::cold, gnu::format(printf, 4, 5)]] void expectation_failed(const char* file,
                                                                           int line,
                                                                           const char* condition,
                                                                           const char* state, ...);

}  // namespace kasuri::platform

#define KASURI_EXPECT(level, condition, ...)                                                   \
  do {                                                                                         \
    if constexpr (::kasuri::platform::expectations >= ::kasuri::platform::expect_level::level) \
      if (!(condition)) [[unlikely]]                                                           \
        ::kasuri::platform::expectation_failed(__FILE__, __LINE__, #condition, __VA_ARGS__);   \
  } while (false)
