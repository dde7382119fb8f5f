// SPDX-License-Identifier: Apache-2.0
// omp_*_ and omp_*_8_ as gfortran calls them, where these differ from the C functions. Routines
// without arguments, and those of locks, are the C functions (exports/omp_api.S).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "omp/abi/omp/fortran.hpp"
#include "omp/abi/omp/omp_api.hpp"
#include "omp/region/affinity_format.hpp"

using namespace kasuri::omp;
using std::int32_t;
using std::int64_t;

extern "C" {

// ---- control variables --------------------------------------------------------------------------

void kasuri_omp_set_num_threads_(const int32_t* n) noexcept { kasuri_omp_set_num_threads(*n); }
void kasuri_omp_set_num_threads_8_(const int64_t* n) noexcept {
  kasuri_omp_set_num_threads(to_int(*n));
}

void kasuri_omp_set_dynamic_(const int32_t* on) noexcept { kasuri_omp_set_dynamic(*on); }
void kasuri_omp_set_dynamic_8_(const int64_t* on) noexcept { kasuri_omp_set_dynamic(*on != 0); }

void kasuri_omp_set_nested_(const int32_t* on) noexcept { kasuri_omp_set_nested(*on); }
void kasuri_omp_set_nested_8_(const int64_t* on) noexcept { kasuri_omp_set_nested(*on != 0); }

void kasuri_omp_set_max_active_levels_(const int32_t* n) noexcept {
  kasuri_omp_set_max_active_levels(*n);
}
void kasuri_omp_set_max_active_levels_8_(const int64_t* n) noexcept {
  kasuri_omp_set_max_active_levels(to_int(*n));
}

void kasuri_omp_set_schedule_(const int32_t* kind, const int32_t* chunk) noexcept {
  kasuri_omp_set_schedule(static_cast<std::uint32_t>(*kind), *chunk);
}
void kasuri_omp_set_schedule_8_(const int32_t* kind, const int64_t* chunk) noexcept {
  kasuri_omp_set_schedule(static_cast<std::uint32_t>(*kind), to_int(*chunk));
}

void kasuri_omp_get_schedule_(int32_t* kind, int32_t* chunk) noexcept {
  std::uint32_t named;
  kasuri_omp_get_schedule(&named, chunk);
  *kind = static_cast<int32_t>(named);
}
void kasuri_omp_get_schedule_clang_(int32_t* kind, int32_t* chunk) noexcept {
  std::uint32_t named = 0;
  kasuri_omp_get_schedule_clang(&named, chunk);
  *kind = static_cast<int32_t>(named);
}

void kasuri_omp_get_schedule_8_(int32_t* kind, int64_t* chunk) noexcept {
  int32_t small;
  kasuri_omp_get_schedule_(kind, &small);
  *chunk = small;
}

int32_t kasuri_omp_get_ancestor_thread_num_(const int32_t* level) noexcept {
  return kasuri_omp_get_ancestor_thread_num(*level);
}
int32_t kasuri_omp_get_ancestor_thread_num_8_(const int64_t* level) noexcept {
  return kasuri_omp_get_ancestor_thread_num(to_int(*level));
}

int32_t kasuri_omp_get_team_size_(const int32_t* level) noexcept {
  return kasuri_omp_get_team_size(*level);
}
int32_t kasuri_omp_get_team_size_8_(const int64_t* level) noexcept {
  return kasuri_omp_get_team_size(to_int(*level));
}

void kasuri_omp_set_num_teams_(const int32_t* n) noexcept { kasuri_omp_set_num_teams(*n); }
void kasuri_omp_set_num_teams_8_(const int64_t* n) noexcept {
  kasuri_omp_set_num_teams(to_int(*n));
}

void kasuri_omp_set_teams_thread_limit_(const int32_t* n) noexcept {
  kasuri_omp_set_teams_thread_limit(*n);
}
void kasuri_omp_set_teams_thread_limit_8_(const int64_t* n) noexcept {
  kasuri_omp_set_teams_thread_limit(to_int(*n));
}

void kasuri_omp_set_default_device_(const int32_t* device) noexcept {
  kasuri_omp_set_default_device(*device);
}
void kasuri_omp_set_default_device_8_(const int64_t* device) noexcept {
  kasuri_omp_set_default_device(to_int(*device));
}

void kasuri_omp_display_env_(const int32_t* verbose) noexcept { kasuri_omp_display_env(*verbose); }
void kasuri_omp_display_env_8_(const int64_t* verbose) noexcept {
  kasuri_omp_display_env(*verbose != 0);
}

int32_t kasuri_omp_pause_resource_(const int32_t* kind, const int32_t* device) noexcept {
  return kasuri_omp_pause_resource(*kind, *device);
}
int32_t kasuri_omp_pause_resource_all_(const int32_t* kind) noexcept {
  return kasuri_omp_pause_resource_all(*kind);
}

// ---- places -------------------------------------------------------------------------------------

int32_t kasuri_omp_get_place_num_procs_(const int32_t* place) noexcept {
  return kasuri_omp_get_place_num_procs(*place);
}
int32_t kasuri_omp_get_place_num_procs_8_(const int64_t* place) noexcept {
  return kasuri_omp_get_place_num_procs(to_int(*place));
}

void kasuri_omp_get_place_proc_ids_(const int32_t* place, int32_t* ids) noexcept {
  kasuri_omp_get_place_proc_ids(*place, ids);
}
void kasuri_omp_get_place_proc_ids_8_(const int64_t* place, int64_t* ids) {
  const int number = to_int(*place);
  std::vector<int> small(static_cast<std::size_t>(kasuri_omp_get_place_num_procs(number)));
  kasuri_omp_get_place_proc_ids(number, small.data());
  std::ranges::copy(small, ids);
}

void kasuri_omp_get_partition_place_nums_(int32_t* numbers) noexcept {
  kasuri_omp_get_partition_place_nums(numbers);
}
void kasuri_omp_get_partition_place_nums_8_(int64_t* numbers) {
  std::vector<int> small(static_cast<std::size_t>(kasuri_omp_get_partition_num_places()));
  kasuri_omp_get_partition_place_nums(small.data());
  std::ranges::copy(small, numbers);
}

// ---- affinity display ---------------------------------------------------------------------------

void kasuri_omp_set_affinity_format_(const char* format, std::size_t length) {
  set_affinity_format(text_of(format, length));
}

int32_t kasuri_omp_get_affinity_format_(char* variable, std::size_t length) {
  return static_cast<int32_t>(fill(variable, length, affinity_format()));
}

void kasuri_omp_display_affinity_(const char* format, std::size_t length) {
  display_affinity(text_of(format, length));
}

int32_t kasuri_omp_capture_affinity_(char* variable, const char* format, std::size_t length,
                                     std::size_t format_length) {
  return static_cast<int32_t>(
      fill(variable, length, captured_affinity(text_of(format, format_length))));
}

// ---- allocators ---------------------------------------------------------------------------------

std::uintptr_t kasuri_omp_init_allocator_(const std::uintptr_t* space, const int32_t* count,
                                          const trait* traits) noexcept {
  return kasuri_omp_init_allocator(*space, *count, traits);
}
std::uintptr_t kasuri_omp_init_allocator_8_(const std::uintptr_t* space, const int64_t* count,
                                            const trait* traits) noexcept {
  return kasuri_omp_init_allocator(*space, to_int(*count), traits);
}

void kasuri_omp_destroy_allocator_(const std::uintptr_t* handle) noexcept {
  kasuri_omp_destroy_allocator(*handle);
}

void kasuri_omp_set_default_allocator_(const std::uintptr_t* handle) noexcept {
  kasuri_omp_set_default_allocator(*handle);
}

}  // extern "C"
