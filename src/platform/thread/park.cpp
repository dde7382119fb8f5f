// SPDX-License-Identifier: Apache-2.0
#include "platform/thread/park.hpp"

#include "platform/base/futex.hpp"

namespace kasuri::platform {
namespace {

std::uint32_t& plain(std::atomic<std::uint32_t>& word) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t&>(word);
}

}  // namespace

void park(std::uint32_t& word, std::uint32_t value) noexcept {
  futex(word, FUTEX_WAIT_PRIVATE, value);
}

void park_for(std::uint32_t& word, std::uint32_t value, std::uint64_t nanoseconds) noexcept {
  futex_for(word, FUTEX_WAIT_PRIVATE, value, nanoseconds);
}

void unpark(std::uint32_t& word, int count) noexcept {
  futex(word, FUTEX_WAKE_PRIVATE, static_cast<std::uint32_t>(count));
}

void park(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept {
  park(plain(word), value);
}

void park_for(std::atomic<std::uint32_t>& word, std::uint32_t value,
              std::uint64_t nanoseconds) noexcept {
  park_for(plain(word), value, nanoseconds);
}

void unpark(std::atomic<std::uint32_t>& word, int count) noexcept { unpark(plain(word), count); }

}  // namespace kasuri::platform
