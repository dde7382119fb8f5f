// SPDX-License-Identifier: Apache-2.0
// omp_alloc and its kin, the forms by which compilers call them for allocate clauses and
// directives, and libomp's kmp_malloc family.
#include <cstddef>
#include <cstdint>

#include "omp/memory/allocator.hpp"
#include "omp/team/icv_access.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

allocator_handle or_default(allocator_handle handle) noexcept {
  return handle == null_allocator ? values(self()).default_allocator : handle;
}

void* zeroed(std::size_t alignment, std::size_t count, std::size_t size,
             allocator_handle handle) noexcept {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  return allocate_zeroed(alignment, bytes, or_default(handle));
}

bool good_alignment(std::size_t alignment) noexcept {
  return alignment != 0 && (alignment & (alignment - 1)) == 0;
}

}  // namespace
}  // namespace kasuri::omp

using namespace kasuri::omp;

extern "C" {

// ---- omp_* --------------------------------------------------------------------------------------

allocator_handle kasuri_omp_init_allocator(std::uintptr_t space, int count,
                                           const trait* traits) noexcept {
  return init_allocator(space, {traits, static_cast<std::size_t>(count < 0 ? 0 : count)});
}

void kasuri_omp_destroy_allocator(allocator_handle handle) noexcept { destroy_allocator(handle); }

void kasuri_omp_set_default_allocator(allocator_handle handle) noexcept {
  own_values(self()).default_allocator = handle == null_allocator ? default_mem_alloc : handle;
}

allocator_handle kasuri_omp_get_default_allocator() noexcept {
  return values(self()).default_allocator;
}

void* kasuri_omp_alloc(std::size_t bytes, allocator_handle handle) noexcept {
  return allocate(0, bytes, or_default(handle));
}

void* kasuri_omp_aligned_alloc(std::size_t alignment, std::size_t bytes,
                               allocator_handle handle) noexcept {
  return good_alignment(alignment) ? allocate(alignment, bytes, or_default(handle)) : nullptr;
}

void* kasuri_omp_calloc(std::size_t count, std::size_t size, allocator_handle handle) noexcept {
  return zeroed(0, count, size, handle);
}

void* kasuri_omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t size,
                                allocator_handle handle) noexcept {
  return good_alignment(alignment) ? zeroed(alignment, count, size, handle) : nullptr;
}

void* kasuri_omp_realloc(void* block, std::size_t bytes, allocator_handle handle,
                         allocator_handle free_handle) noexcept {
  return reallocate(block, bytes, block == nullptr ? or_default(handle) : handle, free_handle);
}

void kasuri_omp_free(void* block, allocator_handle) noexcept { deallocate(block); }

// ---- as GCC calls them --------------------------------------------------------------------------

/// The variable of an allocate clause or directive: the program cannot do without.
void* kasuri_GOMP_alloc(std::size_t alignment, std::size_t bytes,
                        allocator_handle handle) noexcept {
  void* const block = allocate(alignment, bytes, or_default(handle));
  if (block == nullptr && bytes != 0)
    kasuri::platform::fatal("openmp: no memory for a variable of %zu bytes in an allocate clause",
                            bytes);
  return block;
}

void kasuri_GOMP_free(void* block, allocator_handle) noexcept { deallocate(block); }

// ---- as Clang calls them: the number of the thread comes first
// -------------------------------------

allocator_handle kasuri___kmpc_init_allocator(int, std::uintptr_t space, int count,
                                              const trait* traits) noexcept {
  return kasuri_omp_init_allocator(space, count, traits);
}

void kasuri___kmpc_destroy_allocator(int, allocator_handle handle) noexcept {
  destroy_allocator(handle);
}

void kasuri___kmpc_set_default_allocator(int, allocator_handle handle) noexcept {
  kasuri_omp_set_default_allocator(handle);
}

allocator_handle kasuri___kmpc_get_default_allocator(int) noexcept {
  return kasuri_omp_get_default_allocator();
}

void* kasuri___kmpc_alloc(int, std::size_t bytes, allocator_handle handle) noexcept {
  return kasuri_omp_alloc(bytes, handle);
}

void* kasuri___kmpc_aligned_alloc(int, std::size_t alignment, std::size_t bytes,
                                  allocator_handle handle) noexcept {
  return allocate(good_alignment(alignment) ? alignment : 0, bytes, or_default(handle));
}

void* kasuri___kmpc_calloc(int, std::size_t count, std::size_t size,
                           allocator_handle handle) noexcept {
  return zeroed(0, count, size, handle);
}

void* kasuri___kmpc_realloc(int, void* block, std::size_t bytes, allocator_handle handle,
                            allocator_handle free_handle) noexcept {
  return kasuri_omp_realloc(block, bytes, handle, free_handle);
}

void kasuri___kmpc_free(int, void* block, allocator_handle) noexcept { deallocate(block); }

// ---- kmp_malloc and its kin: like those of the C library, but only for each other's blocks
// -----------

void* kasuri_kmp_malloc(std::size_t bytes) noexcept {
  return allocate(0, bytes == 0 ? 1 : bytes, default_mem_alloc);
}

void* kasuri_kmp_aligned_malloc(std::size_t bytes, std::size_t alignment) noexcept {
  return good_alignment(alignment) ? allocate(alignment, bytes, default_mem_alloc) : nullptr;
}

void* kasuri_kmp_calloc(std::size_t count, std::size_t size) noexcept {
  return zeroed(0, count, size, default_mem_alloc);
}

void* kasuri_kmp_realloc(void* block, std::size_t bytes) noexcept {
  return reallocate(block, bytes, default_mem_alloc, null_allocator);
}

void kasuri_kmp_free(void* block) noexcept { deallocate(block); }

}  // extern "C"
