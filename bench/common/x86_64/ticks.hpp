// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bench {

/// The cycle counter: what the papers call a cycle.
inline std::uint64_t ticks() noexcept { return __builtin_ia32_rdtsc(); }

}  // namespace bench
