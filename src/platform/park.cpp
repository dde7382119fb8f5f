// SPDX-License-Identifier: Apache-2.0
#include "platform/park.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include "platform/system_call.hpp"

namespace kasuri::platform {
namespace {

std::uint32_t& plain(std::atomic<std::uint32_t>& word) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t&>(word);
}

// A bare call: sleeping must not disturb the program's errno, and who parks for ever may have lent it.
void futex(std::uint32_t& word, int operation, std::uint32_t value, const timespec* timeout) noexcept {
  system_call(SYS_futex, reinterpret_cast<long>(&word), operation | FUTEX_PRIVATE_FLAG,
              static_cast<long>(value), reinterpret_cast<long>(timeout));
}

}  // namespace

void park(std::uint32_t& word, std::uint32_t value) noexcept {
  futex(word, FUTEX_WAIT, value, nullptr);
}

void unpark(std::uint32_t& word, int count) noexcept {
  futex(word, FUTEX_WAKE, static_cast<std::uint32_t>(count), nullptr);
}

void park(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept {
  park(plain(word), value);
}

void park_for(std::atomic<std::uint32_t>& word, std::uint32_t value,
              std::uint64_t nanoseconds) noexcept {
  const timespec timeout{static_cast<time_t>(nanoseconds / 1'000'000'000u),
                         static_cast<long>(nanoseconds % 1'000'000'000u)};
  futex(plain(word), FUTEX_WAIT, value, &timeout);
}

void unpark(std::atomic<std::uint32_t>& word, int count) noexcept {
  unpark(plain(word), count);
}

}  // namespace kasuri::platform
