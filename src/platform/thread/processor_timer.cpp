// SPDX-License-Identifier: Apache-2.0
#include "platform/thread/processor_timer.hpp"

#include <pthread.h>

#include <csignal>

#include "platform/thread/os_thread.hpp"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace kasuri::platform {

bool start_processor_timer(timer_t& timer, int signal, long nanoseconds) noexcept {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_notify_thread_id = thread_id();
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return false;
  const itimerspec each{{0, nanoseconds}, {0, nanoseconds}};
  timer_settime(timer, 0, &each, nullptr);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  return true;
}

}  // namespace kasuri::platform
