// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hooks of whatever is acquired and released.

#include "omp/tool/active.hpp"
#include "omp/tool/types.hpp"

namespace kasuri::omp::tool {

void wait_for_mutex(mutex_kind kind, const void* mutex, const void* site) noexcept;
void got_mutex(mutex_kind kind, const void* mutex, const void* site) noexcept;
void gave_up_mutex() noexcept;
void give_mutex(mutex_kind kind, const void* mutex) noexcept;
void gave_mutex(mutex_kind kind, const void* mutex, const void* site) noexcept;
void nest(endpoint where, const void* mutex, const void* site) noexcept;
void made_lock(mutex_kind kind, unsigned hint, const void* mutex, const void* site) noexcept;
void unmade_lock(mutex_kind kind, const void* mutex, const void* site) noexcept;

/// From here to the end of the object the program acquires the mutex.
class acquiring {
 public:
  [[gnu::always_inline]] acquiring(mutex_kind kind, const void* mutex,
                                   const void* site = __builtin_return_address(0)) noexcept {
    if (active()) [[unlikely]] {
      kind_ = kind;
      mutex_ = mutex;
      site_ = site;
      wait_for_mutex(kind, mutex, site);
    }
  }
  ~acquiring() {
    if (mutex_ == nullptr) [[likely]]
      return;
    if (again_)
      nest(endpoint::begin, mutex_, site_);
    else
      got_mutex(kind_, mutex_, site_);
  }
  acquiring(const acquiring&) = delete;
  acquiring& operator=(const acquiring&) = delete;

  /// A nestable lock that its owner had already.
  void had_it() noexcept { again_ = true; }
  /// A test that failed.
  void failed() noexcept {
    if (mutex_ == nullptr) [[likely]]
      return;
    mutex_ = nullptr;
    gave_up_mutex();
  }

 private:
  const void* mutex_ = nullptr;
  const void* site_ = nullptr;
  mutex_kind kind_ = mutex_kind::lock;
  bool again_ = false;
};

/// From here to the end of the object the program releases the mutex.
class releasing {
 public:
  [[gnu::always_inline]] releasing(mutex_kind kind, const void* mutex,
                                   const void* site = __builtin_return_address(0)) noexcept {
    if (active()) [[unlikely]] {
      kind_ = kind;
      mutex_ = mutex;
      site_ = site;
      give_mutex(kind, mutex);
    }
  }
  ~releasing() {
    if (mutex_ == nullptr) [[likely]]
      return;
    if (keeps_)
      nest(endpoint::end, mutex_, site_);
    else
      gave_mutex(kind_, mutex_, site_);
  }
  releasing(const releasing&) = delete;
  releasing& operator=(const releasing&) = delete;

  /// A nestable lock that its owner still has.
  void keeps_it() noexcept { keeps_ = true; }

 private:
  const void* mutex_ = nullptr;
  const void* site_ = nullptr;
  mutex_kind kind_ = mutex_kind::lock;
  bool keeps_ = false;
};

/// From here to the end of the object the calling member waits for a lock that another has.
class lock_wait {
 public:
  lock_wait() noexcept {
    if (active()) [[unlikely]]
      begin();
  }
  ~lock_wait() {
    if (began_) [[unlikely]]
      end();
  }
  lock_wait(const lock_wait&) = delete;
  lock_wait& operator=(const lock_wait&) = delete;

 private:
  void begin() noexcept;
  void end() noexcept;

  bool began_ = false;
};

[[gnu::always_inline]] inline void initialised(
    mutex_kind kind, unsigned hint, const void* mutex,
    const void* site = __builtin_return_address(0)) noexcept {
  if (active()) [[unlikely]]
    made_lock(kind, hint, mutex, site);
}

[[gnu::always_inline]] inline void destroyed(
    mutex_kind kind, const void* mutex, const void* site = __builtin_return_address(0)) noexcept {
  if (active()) [[unlikely]]
    unmade_lock(kind, mutex, site);
}

/// The kinds of the locks of which the runtime has one only.
inline constexpr unsigned parking_mutex = 1;

}  // namespace kasuri::omp::tool
