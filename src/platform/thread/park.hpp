// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sleeping on a word: futex(2), private to the process.

#include <atomic>
#include <cstdint>

namespace kasuri::platform {

/// Sleeps while `word` holds `value`; may return for no reason. Async-signal wake-ups included.
void park(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept;

/// As park, but at most `nanoseconds`.
void park_for(std::atomic<std::uint32_t>& word, std::uint32_t value,
              std::uint64_t nanoseconds) noexcept;

/// The same for a word that is accessed through std::atomic_ref.
void park(std::uint32_t& word, std::uint32_t value) noexcept;
void park_for(std::uint32_t& word, std::uint32_t value, std::uint64_t nanoseconds) noexcept;
void unpark(std::uint32_t& word, int count) noexcept;

/// Wakes at most `count` threads that sleep on `word`.
void unpark(std::atomic<std::uint32_t>& word, int count) noexcept;

}  // namespace kasuri::platform
