// SPDX-License-Identifier: Apache-2.0
// Where the program and its shared libraries lie.
#pragma once

#include <cstdint>  // for uintptr_t

namespace kasuri::platform {

/// The addresses of a program or library, from its first segment to the end of its last; empty for
/// none.
struct module_range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  bool empty() const noexcept { return begin == end; }
  bool holds(const void* address) const noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - begin < end - begin;
  }
};

/// That of the module that holds the code or data at `address`; empty if none does. Any thread.
module_range module_range_of(const void* address) noexcept;

}  // namespace kasuri::platform
