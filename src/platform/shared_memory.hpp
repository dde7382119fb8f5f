// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that can be seen at several addresses, or by several processes.

#include <cstddef>

namespace kasuri::platform {

/// Maps `bytes`, whole pages, of new memory, all zero, that can be shown again. Null when the system
/// refuses.
void* map_shared(std::size_t bytes) noexcept;

/// Shows the memory at [start, start + bytes), from map_shared or of a shared file, at `at` too; what was
/// mapped there is replaced. Whole pages. False when the system refuses.
bool show_shared(void* start, std::size_t bytes, void* at) noexcept;

/// Takes one view of shared memory away; the memory goes with its last.
void unmap_shared(void* start, std::size_t bytes) noexcept;

}  // namespace kasuri::platform
