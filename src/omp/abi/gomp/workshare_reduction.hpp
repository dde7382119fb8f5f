// SPDX-License-Identifier: Apache-2.0
#pragma once

// Task reductions of worksharing constructs and of parallel regions in GCC's programs: the
// reduction clause with the task modifier. Each member is in a taskgroup of its own meanwhile, and
// the groups lend the same reductions, those of the member that registered them first.

#include <cstdint>

#include "omp/region/region.hpp"

namespace kasuri::omp {

/// The member meets a construct that has them.
void start_workshare_reductions(member& m) noexcept;

/// They are its own (of null) or those that another member has registered.
void register_workshare_reductions(member& m, std::uintptr_t* reductions,
                                   std::uintptr_t* of) noexcept;

}  // namespace kasuri::omp
