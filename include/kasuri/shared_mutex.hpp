// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A mutex that many threads may hold together, to read. What sync.hpp says of its objects
/// holds for it.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstdint>

#include "kasuri/detail/cxx_library.hpp"
#include "kasuri/detail/time.hpp"
#include "kasuri/detail/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// Held by one thread exclusively, or by any number of threads shared. Meets SharedTimedMutex: use
/// std::shared_lock to read, std::unique_lock and the like to write. It may be held across anything
/// that waits, and let go by another thread than the one that took it.
///
/// Order: as the threads came. A thread that asks for it exclusively is not overtaken by later
/// readers, and readers that wait one behind the other go on together. So a reader that takes it
/// again while it holds it may wait for a writer that waits for that reader.
class shared_mutex {
 public:
  constexpr shared_mutex() noexcept = default;
  shared_mutex(const shared_mutex&) = delete;
  shared_mutex& operator=(const shared_mutex&) = delete;

  /// Waits until nobody holds it and takes it exclusively.
  /// @throw std::bad_alloc when there is no memory to wait with; the caller does not hold it.
  void lock();
  /// Takes it exclusively if nobody holds it or waits for it.
  /// @return whether it did.
  [[nodiscard]] bool try_lock() noexcept;
  /// Takes it exclusively if that can be within `d`.
  /// @return whether it did.
  /// @throw as lock().
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& d) {
    return try_lock_by(detail::time_after(d));
  }
  /// The same, before `t`.
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& t) {
    return detail::until(t, [this](std::int64_t by) { return try_lock_by(by); });
  }
  /// Lets it go. Ends the program with a message when nobody holds it exclusively.
  void unlock() noexcept;

  /// Waits until nobody holds it exclusively or has asked for that before, and takes it shared.
  /// @throw std::bad_alloc when there is no memory to wait with; the caller does not hold it.
  void lock_shared();
  /// Takes it shared if nobody holds it exclusively or waits for it.
  /// @return whether it did.
  [[nodiscard]] bool try_lock_shared() noexcept;
  /// Takes it shared if that can be within `d`.
  /// @return whether it did.
  /// @throw as lock_shared().
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& d) {
    return try_lock_shared_by(detail::time_after(d));
  }
  /// The same, before `t`.
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration>& t) {
    return detail::until(t, [this](std::int64_t by) { return try_lock_shared_by(by); });
  }
  /// Lets it go. Ends the program with a message when nobody holds it shared.
  void unlock_shared() noexcept;

  /// Whether nobody holds it and nobody waits for it.
  bool is_idle() noexcept;

 private:
  friend struct detail::coroutine_access;
  bool try_lock_by(std::int64_t by);
  bool try_lock_shared_by(std::int64_t by);

  detail::wait_list waiters_;  // count: threads that hold it shared, or `exclusive`
};

}  // namespace kasuri
