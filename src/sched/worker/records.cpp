// SPDX-License-Identifier: Apache-2.0
#include "kasuri/detail/records.hpp"

#include <new>

#include "sched/worker/block_cache.hpp"
#include "sched/worker/worker.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

void* allocate_record_slow(std::size_t bytes) {
  worker_face* const face = self();
  if (bytes > small_record || face == nullptr) {
    void* const record = sched::allocate_record(bytes);
    if (record == nullptr) throw std::bad_alloc();
    return record;
  }
  free_record* const first = sched::take_blocks(0, face->record_count);
  if (first == nullptr) throw std::bad_alloc();
  face->records = first->next;
  --face->record_count;
  return first;
}

void free_record_slow(void* record, std::size_t bytes) noexcept {
  worker_face* const face = self();
  if (bytes > small_record || face == nullptr) return sched::free_record(record, bytes);
  auto* first = static_cast<free_record*>(record);
  first->next = face->records;
  ++face->record_count;
  free_record* last = first;
  for (std::uint32_t i = 1; i != sched::block_batch; ++i) last = last->next;
  face->records = last->next;
  face->record_count -= sched::block_batch;
  last->next = nullptr;
  sched::put_blocks(0, first, sched::block_batch);
}

}  // namespace detail
}  // namespace kasuri
