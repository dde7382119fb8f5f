// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which copy of a threadprivate variable (memory/threadprivate.hpp) a member has. A member that is
// number 0 of its team is the thread that met the construct, and has that one's copies. The first
// root that asks has the originals.

#include <cstddef>

#include "omp/team/member.hpp"

namespace kasuri::omp {

/// The member's copy.
void* private_copy(member& m, void* original, std::size_t size) noexcept;

}  // namespace kasuri::omp
