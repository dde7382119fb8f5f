// SPDX-License-Identifier: Apache-2.0
#pragma once

// The OS threads that the pool has started for its workers.

#include <pthread.h>

#include <vector>

#include "platform/thread/mutex.hpp"

namespace kasuri::sched {

struct worker;

class os_threads {
 public:
  /// Each thread runs `body`; the argument is the worker.
  explicit os_threads(void* (*body)(void*)) noexcept : body_(body) {}

  /// Starts a thread for a worker that has none; false when the system has none to give.
  bool start(worker& w) noexcept;

  /// Waits for all of them, also for those that others start before they end.
  void join_all() noexcept;
  bool any() noexcept;

  /// For fork().
  void lock() { lock_.lock(); }
  void unlock() { lock_.unlock(); }

 private:
  void* (*const body_)(void*);
  platform::mutex lock_;
  std::vector<pthread_t> threads_;  // under lock_
};

}  // namespace kasuri::sched
