// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kasuri::test {

inline constexpr std::size_t kib = 1024;  // bytes

}  // namespace kasuri::test
