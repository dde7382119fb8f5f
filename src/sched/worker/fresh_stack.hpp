// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/base/race_detector.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

void tell_sanitizers(worker& w) noexcept;

/// The calling thread, as its thread-locals have it, is about to use the stack below the caller's
/// frame, or another one has done so: for a race detector, which would take the two's local
/// variables for the same, and for AddressSanitizer.
inline void refresh_stack(worker& w) noexcept {
  if (platform::race_detector_runs() || platform::address_sanitizer_wants_stacks()) [[unlikely]]
    tell_sanitizers(w);
}

}  // namespace kasuri::sched
