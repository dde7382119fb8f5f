// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function of the program whose last act is a call of the runtime jumps there: the call's return
// address is then that of whoever called the function, which may be the runtime.

#include "omp/team/member.hpp"

namespace kasuri::omp::sums {

/// Finds where the library's code lies. Once.
void find_own_code() noexcept;

/// The address, or that of the region that the member is in where it is not of the program.
const void* in_program(const member& m, const void* address) noexcept;

}  // namespace kasuri::omp::sums
