// SPDX-License-Identifier: Apache-2.0
// pthread_cond_clockwait (glibc 2.30): waits of std::condition_variable for a time. Where the C
// library has none, the wait is by the clock of the condition variable, CLOCK_REALTIME, and is
// repeated until the wanted clock has come to its time.
#include <pthread.h>

#include <cerrno>
#include <cstdint>
#include <ctime>

#include "c_library.hpp"
#include "older.hpp"

namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * second + time.tv_nsec; }

std::int64_t now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return nanoseconds(time);
}

}  // namespace

namespace kasuri::older {

int cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* until) {
  if (until->tv_nsec < 0 || until->tv_nsec >= second) return EINVAL;
  for (;;) {
    const std::int64_t left = nanoseconds(*until) - now(clock);
    if (left <= 0) return ETIMEDOUT;
    const std::int64_t end = now(CLOCK_REALTIME) + left;
    const timespec time{static_cast<time_t>(end / second), static_cast<long>(end % second)};
    const int error = ::pthread_cond_timedwait(c, m, &time);
    if (error != ETIMEDOUT) return error;
  }
}

}  // namespace kasuri::older

extern "C" int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                      const timespec* until) {
  constinit static std::atomic<decltype(&kasuri::older::cond_clockwait)> found{nullptr};
  return kasuri::older::real_or(&kasuri::older::cond_clockwait, "pthread_cond_clockwait", found)(
      c, m, clock, until);
}
