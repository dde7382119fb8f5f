// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory for the records of detached tasks. Small ones come from a list in the worker's face,
// without a call; sched/worker/block_cache.hpp has the rest.

#include <cstddef>

#include "kasuri/detail/self.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

inline constexpr std::size_t small_record = 64;
/// Beyond so many free records the list goes to where all workers can have them.
inline constexpr std::uint32_t most_free_records = 1024;

/// 64-byte aligned memory. Throws std::bad_alloc.
void* allocate_record_slow(std::size_t bytes);
void free_record_slow(void* record, std::size_t bytes) noexcept;

/// Memory for a record of `bytes`, 64-byte aligned. `face` is self(). Throws std::bad_alloc.
[[gnu::always_inline]] inline void* allocate_record(worker_face* face, std::size_t bytes) {
  if (bytes > small_record || face == nullptr || face->records == nullptr) [[unlikely]]
    return allocate_record_slow(bytes);
  free_record* const r = face->records;
  face->records = r->next;
  --face->record_count;
  return r;
}

/// Gives it back: the same number of bytes. `face` is self().
[[gnu::always_inline]] inline void release_record(worker_face* face, void* record,
                                                  std::size_t bytes) noexcept {
  if (bytes > small_record || face == nullptr || face->record_count >= most_free_records)
      [[unlikely]]
    return free_record_slow(record, bytes);
  auto* const r = static_cast<free_record*>(record);
  r->next = face->records;
  face->records = r;
  ++face->record_count;
}

}  // namespace detail
}  // namespace kasuri
