// SPDX-License-Identifier: Apache-2.0
#include "profile/start.hpp"

#include <pthread.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "platform/base/clock.hpp"
#include "platform/base/fatal.hpp"
#include "platform/process/executable.hpp"
#include "platform/settings/settings.hpp"
#include "profile/active.hpp"
#include "profile/sampler.hpp"
#include "profile/section.hpp"
#include "profile/spans.hpp"
#include "profile/thread.hpp"
#include "profile/watcher.hpp"

namespace kasuri::profile {

constinit std::atomic<bool> recording{false};

namespace {

bool wanted = false;        // by the environment
bool ends_at_exit = false;  // the handler is registered

void finish() {
  wanted = false;  // a pool that starts behind this, from a static destructor, is not recorded
  if (!recording.exchange(false, std::memory_order_relaxed)) return;
  stop_watcher();
}

void in_child() {
  if (!recording.exchange(false, std::memory_order_relaxed)) return;
  forget_threads();
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

/// Two libraries of one process have this code where a program loads both: one of them records.
bool other_library_records() {
  constexpr const char* name = "_KASURI_PROFILE_PROCESS";
  const std::string own = std::to_string(platform::process_id());
  const char* const before = std::getenv(name);
  if (before != nullptr && before == own) return true;
  setenv(name, own.c_str(), 1);
  return false;
}

[[gnu::constructor]] void library_is_loaded() {
  const char* const path = std::getenv("KASURI_PROFILE");
  if (path == nullptr || path[0] == '\0' || other_library_records()) return;
  wanted = true;
  begin();
}

}  // namespace

void pool_starts(int workers) noexcept {
  if (!wanted) return;
  if (!active()) begin();
  workers_of_pool.store(workers, std::memory_order_relaxed);
}

}  // namespace kasuri::profile
