// SPDX-License-Identifier: Apache-2.0
#pragma once

// The implementations of omp_* and kmp_* that others in this folder call.

#include <cstddef>
#include <cstdint>

#include "omp/memory/allocator.hpp"

extern "C" {

// omp_regions.cpp
void kasuri_omp_set_num_threads(int n) noexcept;
void kasuri_omp_set_dynamic(int on) noexcept;
void kasuri_omp_set_nested(int on) noexcept;
void kasuri_omp_set_max_active_levels(int levels) noexcept;
void kasuri_omp_set_schedule(std::uint32_t kind, int chunk) noexcept;
void kasuri_omp_get_schedule(std::uint32_t* kind, int* chunk) noexcept;
void kasuri_omp_get_schedule_clang(std::uint32_t* kind, int* chunk) noexcept;
int kasuri_omp_get_ancestor_thread_num(int level) noexcept;
int kasuri_omp_get_team_size(int level) noexcept;
void kasuri_omp_set_num_teams(int n) noexcept;
void kasuri_omp_set_teams_thread_limit(int n) noexcept;
void kasuri_omp_display_env(int verbose) noexcept;
int kasuri_omp_pause_resource(int kind, int device) noexcept;
int kasuri_omp_pause_resource_all(int kind) noexcept;

// omp_places.cpp
int kasuri_omp_get_place_num_procs(int place) noexcept;
void kasuri_omp_get_place_proc_ids(int place, int* ids) noexcept;
int kasuri_omp_get_partition_num_places() noexcept;
void kasuri_omp_get_partition_place_nums(int* numbers) noexcept;

// omp_device.cpp
void kasuri_omp_set_default_device(int device) noexcept;

// omp_allocator.cpp
std::uintptr_t kasuri_omp_init_allocator(std::uintptr_t space, int count,
                                         const kasuri::omp::trait* traits) noexcept;
void kasuri_omp_destroy_allocator(std::uintptr_t handle) noexcept;
void kasuri_omp_set_default_allocator(std::uintptr_t handle) noexcept;
void* kasuri_kmp_malloc(std::size_t bytes) noexcept;
void* kasuri_kmp_aligned_malloc(std::size_t bytes, std::size_t alignment) noexcept;
void* kasuri_kmp_calloc(std::size_t count, std::size_t size) noexcept;
void* kasuri_kmp_realloc(void* block, std::size_t bytes) noexcept;
void kasuri_kmp_free(void* block) noexcept;

// kmp_settings.cpp
void kasuri_kmp_set_stacksize_s(std::size_t bytes) noexcept;
void kasuri_kmp_set_stacksize(int bytes) noexcept;
void kasuri_kmp_set_blocktime(int milliseconds) noexcept;
void kasuri_kmp_set_library(int kind) noexcept;
void kasuri_kmp_set_disp_num_buffers(int count) noexcept;

// kmp_affinity_mask.cpp
int kasuri_kmp_set_affinity_mask_proc(int cpu, void** mask);
int kasuri_kmp_unset_affinity_mask_proc(int cpu, void** mask) noexcept;
int kasuri_kmp_get_affinity_mask_proc(int cpu, void** mask) noexcept;

}  // extern "C"
