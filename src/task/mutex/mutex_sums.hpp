// SPDX-License-Identifier: Apache-2.0
#pragma once

// While a profile is recorded: who waits for a mutex, and who holds it meanwhile. Only mutexes that
// somebody waits for come here: the others are a few instructions of the program's own code.

#include <cstdint>

#include "platform/base/clock.hpp"

namespace kasuri::task {

/// The thread has waited for the mutex since `since` ticks, from the call at `site`, and has it
/// now.
void mutex_was_waited_for(const void* mutex, const void* site, std::uint64_t since) noexcept;

/// The holder lets it go, by the call at `site`, while others wait.
void awaited_mutex_is_given(const void* mutex, const void* site) noexcept;

}  // namespace kasuri::task
