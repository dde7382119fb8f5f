// SPDX-License-Identifier: Apache-2.0
#pragma once

// A mutex for the runtime's own data. Race detectors see the calls of pthread_mutex_lock, and would
// take every two threads that happen to pass the same one for ordered by the program. So they are
// told to look away, and from what is done under the mutex as well.

#include <mutex>

#include "platform/base/race_detector.hpp"

namespace kasuri::platform {

class mutex {
 public:
  constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  void lock() {
    begin_unseen_accesses();
    const unseen_order here;
    real_.lock();
  }

  /// False, at once, when somebody holds it.
  bool try_lock() {
    begin_unseen_accesses();
    bool locked;
    {
      const unseen_order here;
      locked = real_.try_lock();
    }
    if (!locked) end_unseen_accesses();
    return locked;
  }

  void unlock() {
    {
      const unseen_order here;
      real_.unlock();
    }
    end_unseen_accesses();
  }

 private:
  std::mutex real_;
};

}  // namespace kasuri::platform
