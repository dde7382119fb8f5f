// SPDX-License-Identifier: Apache-2.0
// From the environment's text to the control variables: reads each variable, then settles what one
// means for another.
#include <algorithm>
#include <iterator>

#include "omp/env/environment_table.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

// How long a member spins that waits, when nobody says: long enough for the time between two
// regions of a loop, short enough not to burn a core when there is nothing to do.
constexpr std::uint64_t default_spin_ns = 1'000'000;
// A turn of libgomp's loop that GOMP_SPINCOUNT counts: a pause, by common machines.
constexpr std::uint64_t ns_per_spin = 10;
constexpr std::uint64_t least_stack = 16 * 1024;

// libomp's, which scripts read.
constexpr std::string_view default_format =
    "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

const std::string_view* find_value(std::span<const std::string_view> entries,
                                   std::string_view name) {
  for (const std::string_view& entry : entries)
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) return &entry;
  return nullptr;
}

std::string ill_formed(std::string_view entry, const variable& row, std::string_view used) {
  std::string line(entry.substr(0, 200));
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' '; }, '?');
  const std::string_view value = entry.substr(row.name.size() + 1);
  line += ": ";
  line += row.problem == nullptr ? "not understood" : row.problem(value);
  return line + "; accepted: " + std::string(row.accepted) + "; " + std::string(used) + " is used";
}

given_values read_variables(std::span<const std::string_view> entries,
                            std::vector<std::string>& warnings) {
  given_values given;
  for (const variable& row : variables()) {
    const std::string_view* entry = find_value(entries, row.name);
    if (entry == nullptr) continue;
    given_values trial = given;
    const std::string_view value = entry->substr(row.name.size() + 1);
    if (row.parse(value, trial)) {
      given = std::move(trial);
      continue;
    }
    const std::string_view used =
        row.instead == nullptr ? std::string_view("the default") : row.instead(value, given);
    warnings.push_back(ill_formed(*entry, row, used));
  }
  return given;
}

std::uint64_t spin_time(const given_values& given) {
  if (given.spin_count)
    return *given.spin_count > endless / ns_per_spin ? endless : *given.spin_count * ns_per_spin;
  if (given.wait_active) return *given.wait_active ? endless : 0;
  if (given.block_ns) return *given.block_ns;
  if (given.library == library_kind::turnaround) return endless;
  return default_spin_ns;
}

/// OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY: the first that is there; and what that means for
/// bind-var when OMP_PROC_BIND says nothing.
void settle_places(const given_values& given, device_icvs& values) {
  proc_bind implied = proc_bind::off;
  if (given.places) {
    values.affinity.places = *given.places;
    implied = proc_bind::on;
  } else if (given.gomp_places) {
    values.affinity.places = *given.gomp_places;
    implied = proc_bind::on;
  } else if (given.affinity && given.affinity->places.kind != place_kind::none) {
    values.affinity.places = given.affinity->places;
    implied = given.affinity->balanced ? proc_bind::spread : proc_bind::close;
  }
  values.affinity.given = given.places || given.gomp_places || given.affinity || given.bind;
  values.affinity.reset = given.affinity && given.affinity->reset;
  values.teams_bind = given.teams_bind.value_or(proc_bind::spread);
  if (given.bind) values.bind = *given.bind;
  values.initial.bind = values.bind.empty() ? implied : values.bind.front();
  values.initial.bind_level = values.bind.empty() ? 0 : 1;
  // Bound to what, when nobody says: to cores.
  if (values.initial.bind != proc_bind::off && values.affinity.places.kind == place_kind::none)
    values.affinity.places.kind = place_kind::cores;
}

void settle_cpus(const given_values& given, const machine_defaults& machine, device_icvs& values) {
  values.cpus = machine.cpus;
  if (given.subset)
    values.cpus = cpus_of_subset(*given.subset, platform::machine_topology(), machine.cpus);
  values.procs = std::min(machine.procs, static_cast<int>(values.cpus.size()));
}

int active_levels(const given_values& given, const device_icvs& values) {
  if (given.max_active_levels) return *given.max_active_levels;
  if (given.nested) return *given.nested ? supported_active_levels : 1;
  return values.nthreads.size() > 1 || values.bind.size() > 1 ? supported_active_levels : 1;
}

void settle_threads(const given_values& given, int default_threads, device_icvs& values) {
  icvs& initial = values.initial;
  values.library = given.library.value_or(library_kind::throughput);
  initial.thread_limit = given.thread_limit.value_or(given.kmp_thread_limit.value_or(INT_MAX));
  const int unasked = std::min(given.kmp_threads.value_or(default_threads), initial.thread_limit);
  values.nthreads = given.nthreads.value_or(std::vector{unasked});
  if (values.library == library_kind::serial) values.nthreads = {1};
  initial.nthreads = values.nthreads.front();
  initial.nthreads_level = 1;
  initial.dynamic = given.dynamic.value_or(false);
  initial.nteams = given.nteams.value_or(0);
  initial.teams_thread_limit =
      given.teams_thread_limit.value_or(given.kmp_teams_thread_limit.value_or(0));
}

void settle_display(given_values& given, device_icvs& values) {
  values.affinity.displayed = given.display_affinity.value_or(false);
  values.affinity.format = given.affinity_format.value_or(std::string(default_format));
  values.display = given.display.value_or(display_kind::off);
  values.settings_shown = given.kmp_settings.value_or(false);
  values.warnings = given.kmp_warnings.value_or(true);
  values.tool = given.tool.value_or(true);
  values.tool_libraries = given.tool_libraries.value_or(std::vector<std::string>());
  values.tool_verbose = given.tool_verbose.value_or(std::string());
}

std::uint64_t stack_bytes(const given_values& given) {
  const auto asked = given.omp_stack    ? given.omp_stack
                     : given.gomp_stack ? given.gomp_stack
                                        : given.kmp_stack;
  return asked.value_or(0) == 0 ? 0 : std::max(*asked, least_stack);
}

}  // namespace

loaded_environment load_environment(std::span<const std::string_view> entries,
                                    const machine_defaults& machine) {
  loaded_environment loaded;
  device_icvs& values = loaded.values;
  given_values given = read_variables(entries, loaded.warnings);
  settle_cpus(given, machine, values);
  const bool cut = values.cpus.size() < machine.cpus.size();
  settle_threads(given, cut ? std::min(machine.threads, values.procs) : machine.threads, values);
  settle_places(given, values);
  values.initial.max_active_levels = active_levels(given, values);
  values.initial.run_schedule = given.run_schedule.value_or(schedule{.assumed = true});
  values.initial.default_device = given.default_device.value_or(0);
  values.wait_active = given.wait_active.value_or(false);
  values.spin_ns = spin_time(given);
  values.stack_size = stack_bytes(given);
  values.cancellation = given.cancellation.value_or(false);
  values.task_throttling = given.task_throttling.value_or(true);
  values.max_task_priority = given.max_task_priority.value_or(0);
  values.offload = given.offload.value_or(offload_policy::default_);
  values.allocator = given.allocator.value_or(allocator_request{});
  settle_display(given, values);
  KASURI_EXPECT(cheap, !values.nthreads.empty() && values.initial.nthreads >= 1,
                "%d threads, a list of %zu", values.initial.nthreads, values.nthreads.size());
  KASURI_EXPECT(cheap, values.procs >= 1 && values.procs <= std::ssize(values.cpus),
                "%d processors of %td", values.procs, std::ssize(values.cpus));
  KASURI_EXPECT(cheap, values.initial.thread_limit >= 1 && values.initial.max_active_levels >= 0,
                "at most %d threads, %d levels", values.initial.thread_limit,
                values.initial.max_active_levels);
  KASURI_EXPECT(
      cheap,
      values.initial.bind == proc_bind::off || values.affinity.places.kind != place_kind::none,
      "members are bound by %d, and there are no places", static_cast<int>(values.initial.bind));
  return loaded;
}

}  // namespace kasuri::omp
