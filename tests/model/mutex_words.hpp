// SPDX-License-Identifier: Apache-2.0
// What the models of kasuri::mutex have in common: the words by which they say its protocol, and
// the fast paths, two lines of the public header kasuri/sync.hpp, transcribed.
#pragma once

#include <atomic>
#include <cstdint>

#include "task/mutex/mutex_word.hpp"

namespace kasuri::model {

namespace word = task::mutex_word;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

/// Whether the mutex was free, and is the caller's now.
template <class Word>
bool lock_free(Word& w) {
  std::uint32_t free = 0;
  return w.compare_exchange_strong(free, word::locked, acquire, relaxed);
}

/// Whether nobody waits, and the mutex is free now.
template <class Word>
bool unlock_alone(Word& w) {
  std::uint32_t only_locked = word::locked;
  return w.compare_exchange_strong(only_locked, 0, release, relaxed);
}

}  // namespace kasuri::model
