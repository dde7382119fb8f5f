// SPDX-License-Identifier: Apache-2.0
#pragma once

// The dump on a signal (KASURI_DUMP_SIGNAL). The handler only posts a semaphore, as little may be
// done in one; a thread that waits for it writes the dump. There is such a thread only where the
// setting asks for it.

#include <pthread.h>

#include <atomic>

namespace kasuri::sched {

class dump_signal {
 public:
  static dump_signal& get() noexcept { return the_only_one; }

  /// Under the lock of start and stop.
  void start() noexcept;
  void stop() noexcept;
  /// In the child of a fork the thread is gone.
  void forget_thread() noexcept;

  bool has_thread() const noexcept { return has_thread_.load(std::memory_order_relaxed); }

 private:
  static dump_signal the_only_one;

  static void* thread_main(void*) noexcept;

  std::atomic<bool> has_thread_{false};
  std::atomic<bool> ends_{false};
  pthread_t thread_{};
};

}  // namespace kasuri::sched
