// SPDX-License-Identifier: Apache-2.0
#include "sched/roster/os_threads.hpp"

#include <cstdio>
#include <mutex>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

bool os_threads::start(worker& w) noexcept {
  pthread_t thread;
  char name[24];
  std::snprintf(name, sizeof name, "kasuri-%d", w.index);
  KASURI_EXPECT(cheap, !w.has_thread.load(std::memory_order_relaxed),
                "worker %d has thread %d already", w.index, w.tid.load(std::memory_order_relaxed));
  w.has_thread.store(true, std::memory_order_relaxed);
  if (!platform::start_os_thread(thread, body_, &w, name)) {
    w.has_thread.store(false, std::memory_order_relaxed);
    if (platform::first_thread_refused())
      platform::warn("the system gives no thread for worker %d; going on with fewer", w.index);
    return false;
  }
  const std::lock_guard hold(lock_);
  threads_.push_back(thread);
  return true;
}

void os_threads::join_all() noexcept {
  KASURI_EXPECT(cheap, current() == nullptr, "worker %d waits for the end of all workers",
                index_of_caller());
  for (;;) {
    pthread_t t;
    {
      const std::lock_guard hold(lock_);
      if (threads_.empty()) return;
      t = threads_.back();
      threads_.pop_back();
    }
    pthread_join(t, nullptr);
  }
}

bool os_threads::any() noexcept {
  const std::lock_guard hold(lock_);
  return !threads_.empty();
}

}  // namespace kasuri::sched
