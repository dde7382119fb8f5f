// SPDX-License-Identifier: Apache-2.0
// kmp_*_ as Fortran programs of libomp call them, where these differ from the C functions.
#include <cstddef>
#include <cstdint>

#include "omp/abi/omp/fortran.hpp"
#include "omp/abi/omp/omp_api.hpp"
#include "omp/env/environment.hpp"
#include "omp/team/icv_access.hpp"

using namespace kasuri::omp;

extern "C" {

void kasuri_kmp_set_stacksize_(const int* bytes) noexcept { kasuri_kmp_set_stacksize(*bytes); }

void kasuri_kmp_set_stacksize_s_(const std::size_t* bytes) noexcept {
  kasuri_kmp_set_stacksize_s(*bytes);
}

void kasuri_kmp_set_blocktime_(const int* ms) noexcept { kasuri_kmp_set_blocktime(*ms); }

void kasuri_kmp_set_library_(const int* kind) noexcept { kasuri_kmp_set_library(*kind); }

void kasuri_kmp_set_disp_num_buffers_(const int* count) noexcept {
  kasuri_kmp_set_disp_num_buffers(*count);
}

void kasuri_kmp_set_defaults_(const char* text, std::size_t length) {
  set_defaults(text_of(text, length));
  own_values(self()) = initial_values();
}

int kasuri_kmp_set_affinity_mask_proc_(const int* cpu, void** mask) {
  return kasuri_kmp_set_affinity_mask_proc(*cpu, mask);
}

int kasuri_kmp_unset_affinity_mask_proc_(const int* cpu, void** mask) noexcept {
  return kasuri_kmp_unset_affinity_mask_proc(*cpu, mask);
}

int kasuri_kmp_get_affinity_mask_proc_(const int* cpu, void** mask) noexcept {
  return kasuri_kmp_get_affinity_mask_proc(*cpu, mask);
}

void* kasuri_kmp_malloc_(const std::size_t* bytes) noexcept { return kasuri_kmp_malloc(*bytes); }

void* kasuri_kmp_aligned_malloc_(const std::size_t* bytes, const std::size_t* alignment) noexcept {
  return kasuri_kmp_aligned_malloc(*bytes, *alignment);
}

void* kasuri_kmp_calloc_(const std::size_t* count, const std::size_t* size) noexcept {
  return kasuri_kmp_calloc(*count, *size);
}

void* kasuri_kmp_realloc_(void* const* block, const std::size_t* bytes) noexcept {
  return kasuri_kmp_realloc(*block, *bytes);
}

void kasuri_kmp_free_(void* const* block) noexcept { kasuri_kmp_free(*block); }

}  // extern "C"
