// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace kasuri::omp {

/// OMP_MAX_TASK_PRIORITY (environment.cpp).
int max_task_priority() noexcept;

/// The priority that counts; negative ones are zero.
inline int task_priority(int asked) noexcept {
  return asked <= 0 ? 0 : std::min(asked, max_task_priority());
}

}  // namespace kasuri::omp
