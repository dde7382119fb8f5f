// SPDX-License-Identifier: Apache-2.0
#include "platform/park.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace kasuri::platform {
namespace {

std::uint32_t& plain(std::atomic<std::uint32_t>& word) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t&>(word);
}

long futex(std::uint32_t& word, int operation, std::uint32_t value,
           const timespec* timeout) noexcept {
  const int saved = errno;  // sleeping must not disturb the program's errno
  const long result =
      syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
  errno = saved;
  return result;
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
