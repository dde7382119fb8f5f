// SPDX-License-Identifier: Apache-2.0
#include "profile/sampler.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "platform/base/processor_time.hpp"
#include "profile/active.hpp"
#include "profile/modules.hpp"
#include "profile/thread.hpp"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace kasuri::profile {

constinit std::atomic<int> workers_of_pool{0};

namespace {

using record::time_state;

constexpr int signal_of_samples = SIGPROF;
// Of processor time. The kernel looks at its ticks, so 4 ms or 10 ms come of it on most systems.
constexpr long between_samples_ns = 1'000'000;

struct place_in_code {
  std::uintptr_t pc = 0;
  std::uintptr_t sp = 0;
};

place_in_code interrupted(void* context) noexcept {
  [[maybe_unused]] const auto* const c = static_cast<ucontext_t*>(context);
#if defined(__x86_64__)
  return {static_cast<std::uintptr_t>(c->uc_mcontext.gregs[REG_RIP]),
          static_cast<std::uintptr_t>(c->uc_mcontext.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {c->uc_mcontext.pc, c->uc_mcontext.sp};
#else
  return {};
#endif
}

struct crowd {
  int run = 0;   // workers whose task runs, without the caller
  int rest = 0;  // ... of the pool that have nothing to run, or wait awake
};

crowd look_around(const thread& self) noexcept {
  crowd c;
  each_thread([&](thread& t) {
    if (&t == &self || t.ended()) return;
    const time_state s = t.state();
    c.run += s == time_state::work || s == time_state::overhead;
  });
  c.rest = std::max(workers_of_pool.load(std::memory_order_relaxed) - c.run - 1, 0);
  return c;
}

void take_sample(thread& t, void* context) noexcept {
  const std::uint64_t now = platform::processor_nanoseconds();
  const std::uint64_t ran = now - t.processor_at_sample;
  t.processor_at_sample = now;
  const time_state state = t.state();
  if (state == time_state::idle) return;  // looks for tasks: not the program's code
  const place_in_code at = interrupted(context);
  sample s{.pc = place_in_program(at.pc, at.sp), .site = t.site(), .processor = ran};
  if (state == time_state::waiting) {
    s.waited = ran;
  } else {
    const crowd others = look_around(t);
    s.alone = others.run == 0 ? ran : 0;
    s.blamed =
        ran * static_cast<std::uint64_t>(others.rest) / static_cast<std::uint64_t>(others.run + 1);
  }
  t.samples().add(s);
}

void on_signal(int, siginfo_t*, void* context) noexcept {
  const int before = errno;
  if (thread* const t = known_here(); t != nullptr && active()) take_sample(*t, context);
  errno = before;
}

}  // namespace

bool prepare_samples() noexcept {
  struct sigaction now{};
  if (sigaction(signal_of_samples, nullptr, &now) != 0 ||
      ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler != SIG_DFL) ||
      ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction != on_signal))
    return false;
  struct sigaction ours{};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  return sigaction(signal_of_samples, &ours, nullptr) == 0;
}

void start_samples(thread& t) noexcept {
  t.processor_at_sample = platform::processor_nanoseconds();
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_of_samples;
  event.sigev_notify_thread_id = t.number();
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &t.timer) != 0) return;
  t.has_timer = true;
  const itimerspec each{{0, between_samples_ns}, {0, between_samples_ns}};
  timer_settime(t.timer, 0, &each, nullptr);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal_of_samples);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

void stop_samples(thread& t) noexcept {
  if (!t.has_timer) return;
  t.has_timer = false;
  timer_delete(t.timer);
}

}  // namespace kasuri::profile
