// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/race_detector.hpp"
#include "sched/worker.hpp"

namespace kasuri::sched {

void forget_stack_below(worker& w) noexcept;

/// Another thread than the last one is about to use the stack below the caller's frame: for a race
/// detector, which would take the two's local variables for the same.
inline void refresh_stack(worker& w) noexcept {
  if (platform::race_detector_runs()) [[unlikely]] forget_stack_below(w);
}

}  // namespace kasuri::sched
