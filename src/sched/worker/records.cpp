// SPDX-License-Identifier: Apache-2.0
#include "kasuri/detail/records.hpp"

#include <new>

#include "platform/base/expect.hpp"
#include "sched/worker/block_cache.hpp"
#include "sched/worker/worker.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

static_assert(small_record == sched::block_sizes[0]);
static_assert(most_free_records >= sched::block_batch);

void* allocate_record_slow(std::size_t bytes) {
  worker_face* const face = self();
  if (bytes > small_record || face == nullptr) {
    void* const record = sched::allocate_record(bytes);
    if (record == nullptr) throw std::bad_alloc();
    return record;
  }
  KASURI_EXPECT(cheap, face->records == nullptr && face->record_count == 0,
                "no record at hand, %u are counted", face->record_count);
  free_record* const first = sched::take_blocks(0, face->record_count);
  if (first == nullptr) throw std::bad_alloc();
  face->records = first->next;
  --face->record_count;
  return first;
}

void free_record_slow(void* record, std::size_t bytes) noexcept {
  worker_face* const face = self();
  if (bytes > small_record || face == nullptr) return sched::free_record(record, bytes);
  KASURI_EXPECT(cheap, face->record_count >= sched::block_batch && record != face->records,
                "record %p, the last is %p of %u", record, static_cast<void*>(face->records),
                face->record_count);
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
