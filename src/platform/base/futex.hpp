// SPDX-License-Identifier: Apache-2.0
#pragma once

// futex(2) for words of one process (park.hpp) and of several (shared_memory.hpp).

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "platform/base/system_call.hpp"

namespace kasuri::platform {

/// A bare call: sleeping must not disturb the program's errno, and who parks for ever may have lent
/// it.
inline void futex(std::uint32_t& word, int operation, std::uint32_t value,
                  const timespec* timeout = nullptr) noexcept {
  system_call(SYS_futex, reinterpret_cast<long>(&word), operation, static_cast<long>(value),
              reinterpret_cast<long>(timeout));
}

/// The same with a limit on the time of sleep.
inline void futex_for(std::uint32_t& word, int operation, std::uint32_t value,
                      std::uint64_t nanoseconds) noexcept {
  const timespec timeout{static_cast<time_t>(nanoseconds / 1'000'000'000u),
                         static_cast<long>(nanoseconds % 1'000'000'000u)};
  futex(word, operation, value, &timeout);
}

}  // namespace kasuri::platform
