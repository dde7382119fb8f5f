// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory with a distribution, as alloc, the C interface and OpenMP's allocators need it.

#include <cstddef>

#include "kasuri/numa.hpp"

namespace kasuri::numa {

/// alloc without exceptions: null when there is no memory. `d` is valid. `pinned`: kept in memory,
/// null when the system lets this process pin no more.
[[gnu::visibility("hidden")]] void* map(std::size_t bytes, const distribution& d,
                                        alloc_options options, bool pinned) noexcept;

/// move without exceptions; `d` is valid and the range not at null.
[[gnu::visibility("hidden")]] std::size_t migrate(void* start, std::size_t bytes,
                                                  const distribution& d) noexcept;

}  // namespace kasuri::numa
