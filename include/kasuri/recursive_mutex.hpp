// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A mutex that its owner may lock again. What sync.hpp says of its objects holds for it.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <cstdint>

#include "kasuri/sync.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// Mutual exclusion; the owner may lock it again, and must unlock it as often. Meets TimedLockable.
///
/// The owner is the task that locked it, wherever it goes on, and what runs on its stack: a closure
/// that parallel_invoke calls itself, a task that its wait runs in place, the function given to
/// blocking. A child that another worker runs is another owner: do not wait for children that lock
/// what the parent holds. A task that is no thread of its own and ends leaves its stack to others:
/// unlock before. On an OS thread that is no worker, and on the stack of one that called in by
/// run(), the owner is that thread.
class recursive_mutex {
 public:
  constexpr recursive_mutex() noexcept = default;
  recursive_mutex(const recursive_mutex&) = delete;
  recursive_mutex& operator=(const recursive_mutex&) = delete;

  /// Waits until no other owner has it, and takes it or counts one lock more.
  /// @throw std::bad_alloc when there is no memory to wait with; std::overflow_error for the 2^32nd
  /// lock of one owner. Nothing has changed then.
  void lock();
  /// Takes it if it is free, or counts one lock more for its owner.
  /// @return whether it did; false for the 2^32nd lock of one owner as well.
  [[nodiscard]] bool try_lock() noexcept;
  /// The same, if that can be within `d`.
  /// @throw std::bad_alloc when there is no memory to wait with.
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& d) {
    return counts_more() || (!is_mine() && took(mutex_.try_lock_for(d)));
  }
  /// The same, before `t`.
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& t) {
    return counts_more() || (!is_mine() && took(mutex_.try_lock_until(t)));
  }
  /// Takes one lock back; the last lets it go. Ends the program with a message when the caller is
  /// not the owner.
  void unlock() noexcept;

  /// Whether nobody holds it, waits for it, or is on the way from waiting to holding.
  bool is_idle() const noexcept { return mutex_.is_idle(); }

 private:
  bool is_mine() const noexcept;
  bool counts_more() noexcept;
  bool took(bool locked) noexcept;

  mutex mutex_;
  std::atomic<const void*> owner_{nullptr};
  std::uint32_t locks_ = 0;  // the owner's
};

}  // namespace kasuri
