// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "omp/region/region.hpp"
#include "platform/base/fatal.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/os_thread.hpp"
#include "runtimes/loops/turns.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::runtimes {
namespace {

struct jobs {
  void (*run)(int i, void* arg);
  void* arg;
  int n;
  std::atomic<int> next{0};
};

jobs& jobs_of(const omp::region_code& code) noexcept { return *static_cast<jobs*>(code.data); }

void run_own(const omp::region_code& code, omp::member& m) {
  const jobs& all = jobs_of(code);
  all.run(m.number, all.arg);
}

void run_next_ones(const omp::region_code& code, omp::member&) {
  jobs& all = jobs_of(code);
  for (int i; (i = all.next.fetch_add(1, std::memory_order_relaxed)) < all.n;) all.run(i, all.arg);
}

/// Whether n threads that wait for each other in loops will all run: the monitor lends them tokens,
/// as many as there are spares, and the rest of a pool that a fork has left has one worker for
/// good.
bool all_will_start(int n) noexcept {
  const platform::settings& s = platform::current_settings();
  const sched::worker* const w = sched::current();
  return s.monitor_ms != 0 && n - 1 <= s.max_spares &&
         (w == nullptr || w->home->orphan() == nullptr);
}

void* run_on_os_thread(void* arg) noexcept {
  jobs& all = *static_cast<jobs*>(arg);
  all.run(all.next.fetch_add(1, std::memory_order_relaxed), all.arg);
  return nullptr;
}

/// The jobs on OS threads of their own, and the caller's.
void run_on_os_threads(jobs& all) noexcept {
  std::vector<pthread_t> others(static_cast<std::size_t>(all.n - 1));
  for (pthread_t& each : others)
    if (!platform::start_os_thread(each, run_on_os_thread, &all, "kasuri-job"))
      platform::fatal(
          "Thread creation failed: Resource temporarily unavailable (%d jobs that wait for each "
          "other); accepted: a higher limit of threads (ulimit -u, pids.max)",
          all.n);
  run_on_os_thread(&all);
  for (const pthread_t each : others) pthread_join(each, nullptr);
}

/// A profile and a tool see this as the code of such a region.
void jobs_of_a_runtime() {}

}  // namespace

void run_together(int n, void (*run)(int i, void* arg), void* arg) noexcept {
  if (n == 1) return run(0, arg);
  jobs all{run, arg, n, {}};
  if (!all_will_start(n)) return run_on_os_threads(all);
  omp::run_team({run_own, jobs_of_a_runtime, &all, 1}, n, omp::team_start::together);
}

bool runs_together() noexcept {
  const omp::member* m = omp::known_self();
  for (; m != nullptr && m->in->nest.level != 0; m = m->in->parent)
    if (m->in->code.function == jobs_of_a_runtime) return true;
  return false;
}

void run_anywhere(int n, void (*run)(int i, void* arg), void* arg, void (*code)()) noexcept {
  jobs all{run, arg, n, {}};
  const int members = std::min(n, platform::current_settings().num_workers);
  if (members <= 1) {
    for (int i = 0; i != n; ++i) run(i, arg);
    return;
  }
  omp::run_team({run_next_ones, code, &all, 1}, members, omp::team_start::where_there_is_room);
}

}  // namespace kasuri::runtimes
