// SPDX-License-Identifier: Apache-2.0
// A timer that counts the processor time of one thread.
#pragma once

#include <ctime>  // for timer_t

namespace kasuri::platform {

/// The calling thread takes the signal each time that it has run for so many nanoseconds, or for a
/// tick of the kernel where that is longer; it is no longer blocked there. False: there is no such
/// timer. timer_delete ends it.
[[nodiscard]] bool start_processor_timer(timer_t& timer, int signal, long nanoseconds) noexcept;

}  // namespace kasuri::platform
