// SPDX-License-Identifier: Apache-2.0
#include <new>

#include "kasuri/time.hpp"
#include "platform/thread/os_thread.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"
#include "sched/time/timed_wait.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

namespace {

/// Nobody wakes it but the timer.
struct sleeping : sched::timed_wait {
  explicit sleeping(sched::steady_ns by) noexcept
      : timed_wait(by, [](timer& t) noexcept { return static_cast<sleeping&>(t).end_by_time(); }) {}
};

bool begin(void* wait, suspended* s) noexcept {
  static_cast<sleeping*>(wait)->begin(*s);
  return true;
}

}  // namespace

void sleep_by(std::int64_t by) {
  if (by <= sched::steady_now()) return sched::yield();
  if (sched::current() == nullptr) return platform::sleep_until(by);
  sleeping wait(by);
  if (!sched::try_suspend(record::wait_reason::sleep, begin, &wait, wait)) throw std::bad_alloc();
}

}  // namespace detail
}  // namespace kasuri
