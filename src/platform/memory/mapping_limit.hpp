// SPDX-License-Identifier: Apache-2.0
#pragma once

// The limit of the system that has refused address space. A process may have so many mappings
// (vm.max_map_count) and so many bytes of them (ulimit -v); the system says ENOMEM for either.

#include <cstddef>

namespace kasuri::platform {

/// The most mappings that the system lets a process have; the kernel's default where it does not
/// say.
std::size_t most_mappings() noexcept;

/// How many mappings this process has; 0 where the system does not say.
std::size_t mappings() noexcept;

/// The system has just refused `bytes` of address space. Writes into `line` which limit was met,
/// its value, and what the user may change.
void say_limit_met(char* line, std::size_t room, std::size_t bytes) noexcept;

}  // namespace kasuri::platform
