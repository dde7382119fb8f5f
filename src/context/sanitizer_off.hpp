// SPDX-License-Identifier: Apache-2.0
#pragma once

// No sanitizer: everything here is empty.

#include <cstddef>

#define KASURI_UNINSTRUMENTED

namespace kasuri::context {

/// How many times larger the frames of instrumented functions may be.
inline constexpr std::size_t growth_of_frames = 1;

struct sanitizer_fiber {
  void adopt_native() noexcept {}
  void begin(std::byte*, std::byte*) noexcept {}
  void end() noexcept {}
  void leaving(sanitizer_fiber&, bool) noexcept {}
  void arrived() noexcept {}
};

}  // namespace kasuri::context
