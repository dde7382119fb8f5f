// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory allocators (OpenMP 5.1, section 2.13): the predefined ones, and those made from traits.
//
// A handle is the number of a predefined allocator, as both compilers' omp.h have it, or the
// address of an allocator. Each block has a header in front of it, so that omp_free needs no
// handle. All memory spaces are the machine's memory: there is no way to ask a common machine for
// the others.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kasuri::omp {

using allocator_handle = std::uintptr_t;

inline constexpr allocator_handle null_allocator = 0;
inline constexpr allocator_handle default_mem_alloc = 1;
inline constexpr allocator_handle last_predefined = 8;  // omp_thread_mem_alloc

/// omp_alloctrait_key_t
enum class trait_key : std::int32_t {
  sync_hint = 1,
  alignment,
  access,
  pool_size,
  fallback,
  fb_data,
  pinned,
  partition
};

/// omp_alloctrait_value_t
enum class trait_value : std::uintptr_t {
  off = 0,
  on = 1,
  contended = 3,
  uncontended,
  serialized,
  private_,
  all = 7,
  thread,
  pteam,
  cgroup,
  default_mem_fb = 11,
  null_fb,
  abort_fb,
  allocator_fb,
  environment = 15,
  nearest,
  blocked,
  interleaved,
  default_ = ~std::uintptr_t{0}
};

/// omp_alloctrait_t
struct trait {
  trait_key key;
  std::uintptr_t value;
};

/// The value of OMP_ALLOCATOR: a predefined allocator, or a memory space with traits.
struct allocator_request {
  allocator_handle predefined = default_mem_alloc;  // null_allocator: space and traits
  std::uintptr_t space = 0;
  std::vector<trait> traits;
};
std::optional<allocator_request> parse_allocator(std::string_view text);
std::string allocator_text(const allocator_request& request);
allocator_handle make_allocator(const allocator_request& request);

/// omp_init_allocator: null_allocator when a trait has no such value or the space is unknown.
allocator_handle init_allocator(std::uintptr_t space, std::span<const trait> traits) noexcept;

/// omp_destroy_allocator. Predefined ones stay.
void destroy_allocator(allocator_handle handle) noexcept;

/// A handle of this process' omp.h or of init_allocator.
bool is_predefined(allocator_handle handle) noexcept;

/// `bytes` bytes, aligned to `alignment` (a power of two; 0: as the allocator has it); null when
/// bytes is 0 or there are none and the allocator's fallback says so.
void* allocate(std::size_t alignment, std::size_t bytes, allocator_handle handle) noexcept;

/// The same, zeroed.
void* allocate_zeroed(std::size_t alignment, std::size_t bytes, allocator_handle handle) noexcept;

/// As realloc, from an allocator into another; both null: the block's own.
void* reallocate(void* block, std::size_t bytes, allocator_handle handle,
                 allocator_handle free_handle) noexcept;

/// Null is accepted.
void deallocate(void* block) noexcept;

/// Bytes that the blocks of a made allocator take up; for tests.
std::size_t bytes_in_use(allocator_handle handle) noexcept;

}  // namespace kasuri::omp
