// SPDX-License-Identifier: Apache-2.0
#pragma once

// The copy that a member has of a threadprivate variable (memory/threadprivate.hpp). A member that
// is number 0 of its team is the thread that met the construct, and has that one's copies. The
// first root that asks has the originals.

#include <cstddef>

#include "omp/team/member.hpp"

namespace kasuri::omp {

/// The member's copy.
void* private_copy(member& m, void* original, std::size_t size) noexcept;

}  // namespace kasuri::omp
