// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/sampler.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

#include "platform/base/processor_time.hpp"
#include "platform/process/interrupted_code.hpp"
#include "platform/thread/processor_timer.hpp"
#include "profile/base/active.hpp"
#include "profile/thread/modules.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::profile {

constinit std::atomic<int> workers_of_pool{0};

namespace {

using record::time_state;

constexpr int signal_of_samples = SIGPROF;
// Of processor time. The kernel looks at its ticks, so 4 ms or 10 ms come of it on most systems.
constexpr long between_samples_ns = 1'000'000;

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
  const platform::interrupted_code at = platform::interrupted_by(context);
  sample s{.pc = place_in_program(at.pc, at.sp),
           .site = t.site(),
           .in_pool = state != time_state::detached,
           .processor = ran};
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
  t.has_timer = platform::start_processor_timer(t.timer, signal_of_samples, between_samples_ns);
}

void stop_samples(thread& t) noexcept {
  if (std::exchange(t.has_timer, false)) timer_delete(t.timer);
}

}  // namespace kasuri::profile
