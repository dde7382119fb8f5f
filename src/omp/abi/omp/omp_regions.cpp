// SPDX-License-Identifier: Apache-2.0
// omp_*: threads, levels, control variables of the task and of the device, time.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "omp/abi/omp/asker.hpp"
#include "omp/env/environment.hpp"
#include "omp/env/environment_show.hpp"
#include "omp/team/icv_access.hpp"
#include "omp/team/levels.hpp"
#include "omp/team/root.hpp"
#include "omp/team/this_member.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/settings/settings.hpp"

namespace kasuri::omp {
namespace {

constexpr std::uint32_t monotonic_bit = 0x80000000;  // omp_sched_monotonic

/// Whether a call with an argument that is not accepted is told of. Other runtimes never do, and
/// libraries make such calls all the time (omp_set_num_threads(0)).
bool tells_of_calls() noexcept {
  return platform::current_settings().verbose && environment().warnings;
}

/// An argument that has to be at least `least`; raised to it where it is not.
int at_least(int least, int value, const char* call) noexcept {
  if (value >= least) return value;
  if (tells_of_calls())
    platform::warn("%s(%d): accepted: whole numbers from %d; taken as %d", call, value, least,
                   least);
  return least;
}

void tell_schedule(const schedule& s, std::uint32_t* kind, int* chunk) noexcept {
  constexpr std::uint32_t trapezoidal = 101;  // libomp's number
  *kind = (s.trapezoidal ? trapezoidal : static_cast<std::uint32_t>(s.kind)) |
          (s.monotonic ? monotonic_bit : 0);
  *chunk = static_cast<int>(s.chunk);
}

int current_procs() noexcept {
  const device_icvs& device = environment();
  // A thread that is bound to a place would see that alone.
  if (device.affinity.places.kind != place_kind::none) return device.procs;
  return std::min(device.procs, static_cast<int>(platform::affinity_cpus().size()));
}

double seconds(std::chrono::steady_clock::duration d) noexcept {
  return std::chrono::duration<double>(d).count();
}

}  // namespace
}  // namespace kasuri::omp

using namespace kasuri::omp;

extern "C" {

// ---- threads ------------------------------------------------------------------------------------

int kasuri_omp_get_thread_num() noexcept {
  const member* const m = member_in_region();
  return m == nullptr ? 0 : m->number;
}

int kasuri_omp_get_num_threads() noexcept {
  const member* const m = member_in_region();
  if (m == nullptr) [[unlikely]]
    return self().in->size;  // may be the first call of the process, which starts a tool
  return m->in->size;
}

int kasuri_omp_get_max_threads() noexcept { return values(this_member()).nthreads; }

void kasuri_omp_set_num_threads(int n) noexcept {
  own_values(this_member()).nthreads = at_least(1, n, "omp_set_num_threads");
}

int kasuri_omp_get_num_procs() noexcept { return current_procs(); }

int kasuri_omp_in_parallel() noexcept {
  const member* const m = member_in_region();
  const bool inside = m != nullptr && m->in->nest.active > 0;
  return is_told_of_region(__builtin_return_address(0), inside) && inside;
}

int kasuri_omp_get_thread_limit() noexcept { return values(this_member()).thread_limit; }

// ---- levels -------------------------------------------------------------------------------------

int kasuri_omp_get_level() noexcept { return level_of(this_member()); }

int kasuri_omp_get_active_level() noexcept { return this_member().in->nest.active; }

int kasuri_omp_get_ancestor_thread_num(int level) noexcept {
  return ancestor_number(this_member(), level);
}

int kasuri_omp_get_team_size(int level) noexcept {
  const member* const a = ancestor(this_member(), level);
  return a == nullptr ? -1 : level == 0 ? 1 : a->in->size;
}

int kasuri_omp_get_supported_active_levels() noexcept { return supported_active_levels; }

int kasuri_omp_get_max_active_levels() noexcept { return values(this_member()).max_active_levels; }

void kasuri_omp_set_max_active_levels(int levels) noexcept {
  if (levels >= 0) {
    own_values(this_member()).max_active_levels = levels;
  } else if (tells_of_calls()) {
    kasuri::platform::warn(
        "omp_set_max_active_levels(%d): accepted: whole numbers from 0; nothing is changed",
        levels);
  }
}

int kasuri_omp_get_nested() noexcept { return values(this_member()).max_active_levels > 1; }

void kasuri_omp_set_nested(int on) noexcept {
  icvs& mine = own_values(this_member());
  if (on == 0)
    mine.max_active_levels = 1;
  else if (mine.max_active_levels <= 1)
    mine.max_active_levels = supported_active_levels;
}

// ---- other values -------------------------------------------------------------------------------

int kasuri_omp_get_dynamic() noexcept { return values(this_member()).dynamic; }

void kasuri_omp_set_dynamic(int on) noexcept { own_values(this_member()).dynamic = on != 0; }

void kasuri_omp_set_schedule(std::uint32_t kind, int chunk) noexcept {
  const std::uint32_t plain = kind & ~monotonic_bit;
  if (plain < 1 || plain > 4) {
    if (tells_of_calls())
      kasuri::platform::warn(
          "omp_set_schedule(%u, %d): accepted: the values of omp_sched_t; nothing is changed", kind,
          chunk);
    return;
  }
  const auto named = static_cast<schedule_kind>(plain);
  own_values(this_member()).run_schedule = {
      .kind = named,
      .monotonic = (kind & monotonic_bit) != 0,
      .chunk = named == schedule_kind::auto_ || chunk < 1 ? default_chunk(named) : chunk};
}

void kasuri_omp_get_schedule(std::uint32_t* kind, int* chunk) noexcept {
  tell_schedule(values(this_member()).run_schedule, kind, chunk);
}

/// As programs of Clang import it.
void kasuri_omp_get_schedule_clang(std::uint32_t* kind, int* chunk) noexcept {
  tell_schedule(run_schedule_for_clang(values(this_member())), kind, chunk);
}

int kasuri_omp_get_cancellation() noexcept { return cancellation(); }

int kasuri_omp_get_max_task_priority() noexcept { return max_task_priority(); }

int kasuri_omp_in_final() noexcept { return this_member().current->final; }

int kasuri_omp_in_explicit_task() noexcept { return !this_member().current->implicit; }

void kasuri_omp_display_env(int verbose) noexcept {
  const std::string text = display_env_text(environment(), verbose != 0);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// ---- teams --------------------------------------------------------------------------------------

int kasuri_omp_get_num_teams() noexcept { return this_member().in->league.size; }

int kasuri_omp_get_team_num() noexcept { return this_member().in->league.number; }

int kasuri_omp_get_max_teams() noexcept { return values(this_member()).nteams; }

void kasuri_omp_set_num_teams(int n) noexcept {
  own_values(this_member()).nteams = at_least(0, n, "omp_set_num_teams");
}

int kasuri_omp_get_teams_thread_limit() noexcept {
  return values(this_member()).teams_thread_limit;
}

void kasuri_omp_set_teams_thread_limit(int n) noexcept {
  own_values(this_member()).teams_thread_limit = at_least(0, n, "omp_set_teams_thread_limit");
}

// ---- time ---------------------------------------------------------------------------------------

double kasuri_omp_get_wtime() noexcept {
  return seconds(std::chrono::steady_clock::now().time_since_epoch());
}

double kasuri_omp_get_wtick() noexcept { return seconds(std::chrono::steady_clock::duration(1)); }

// ---- resources, tools ---------------------------------------------------------------------------

/// A sleeping pool costs nothing, so a soft pause keeps everything. A hard one ends the threads,
/// and with them the values of threadprivate variables.
int kasuri_omp_pause_resource_all(int kind) noexcept {
  constexpr int soft = 1, hard = 2;
  if (this_member().in->nest.level != 0) return -1;
  if (kind == hard) return end_threads(this_root()) ? 0 : -1;
  return kind == soft ? 0 : -1;
}

int kasuri_omp_pause_resource(int kind, int device) noexcept {
  const bool host = device == -1 || device == 0;
  return host ? kasuri_omp_pause_resource_all(kind) : -1;
}

}  // extern "C"
