// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/start.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "platform/base/clock.hpp"
#include "platform/base/fatal.hpp"
#include "platform/process/executable.hpp"
#include "platform/process/module_range.hpp"
#include "platform/settings/settings.hpp"
#include "profile/base/active.hpp"
#include "profile/thread/sampler.hpp"
#include "profile/base/section.hpp"
#include "profile/thread/spans.hpp"
#include "profile/thread/thread.hpp"
#include "profile/watch/python_lines.hpp"
#include "profile/watch/watcher.hpp"

namespace kasuri::profile {

constinit std::atomic<bool> recording{false};

namespace {

bool wanted = false;        // by the environment
bool ends_at_exit = false;  // the handler is registered

void finish() {
  wanted = false;  // a pool that starts behind this, from a static destructor, is not recorded
  if (!recording.exchange(false, std::memory_order_relaxed)) return;
  if (thread* const own = known_here()) own->outside().settle(platform::ticks());
  stop_watcher();
}

void in_child() {
  if (!recording.exchange(false, std::memory_order_relaxed)) return;
  forget_threads();
  forget_python();
  for (section* s = newest_section(); s != nullptr; s = s->next()) s->begin_anew();
}

void begin() {
  if (!start_watcher(platform::current_settings().profile)) {
    wanted = false;
    return;
  }
  recording.store(true, std::memory_order_relaxed);
  if (!prepare_samples())
    platform::warn("the program uses SIGPROF itself, so the profile names fewer lines");
  enter_spans(platform::ticks());
  if (std::exchange(ends_at_exit, true)) return;
  std::atexit(finish);
  pthread_atfork(nullptr, nullptr, in_child);
}

/// Whether another library of the process has the pool, by the name that programs start it by:
/// where both of ours are loaded, all calls go to one.
bool pool_is_elsewhere() noexcept {
  const void* const start = dlsym(RTLD_DEFAULT, "kasuri_init");
  return start != nullptr &&
         !platform::module_range_of(reinterpret_cast<const void*>(&pool_starts)).holds(start);
}

/// Whether this program starts the ranks of a job. It may load an OpenMP runtime of its own accord,
/// but is not what the user asks about; and signals that it gets, as those of samples, it passes
/// on to the ranks.
bool starts_ranks() noexcept {
  constexpr std::string_view names[] = {"mpiexec", "mpirun", "orterun",         "orted",
                                        "prterun", "prted",  "hydra_pmi_proxy", "srun"};
  const std::string_view name = platform::program_name();
  return std::ranges::find(names, name.substr(0, name.find('.'))) != std::end(names);
}

[[gnu::constructor]] void library_is_loaded() {
  const char* const path = std::getenv("KASURI_PROFILE");
  if (path == nullptr || path[0] == '\0' || !is_subject() || starts_ranks() || pool_is_elsewhere())
    return;
  wanted = true;
  begin();
}

}  // namespace

[[gnu::weak]] bool is_subject() noexcept { return true; }

void pool_starts(int workers) noexcept {
  if (!wanted) return;
  if (!active()) begin();
  workers_of_pool.store(workers, std::memory_order_relaxed);
}

}  // namespace kasuri::profile
