// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "omp/team/team.hpp"

namespace kasuri::omp {

/// A barrier of the team that the member is in, with all its tasks. False: the region was cancelled
/// meanwhile and the caller must leave it; only where `cancellable`.
bool barrier(member& m, bool cancellable = false) noexcept;

}  // namespace kasuri::omp
