// SPDX-License-Identifier: Apache-2.0
#include "omp/run/new_task.hpp"

#include <algorithm>
#include <cstdlib>

#include "omp/task/task_values.hpp"
#include "omp/team/root.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

void* or_fatal(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) platform::fatal("no memory for an OpenMP task of %zu bytes", bytes);
  return memory;
}

void* from_heap(std::size_t bytes, std::size_t align) noexcept {
  const std::size_t at = std::max(align, std::size_t{64});
  return or_fatal(std::aligned_alloc(at, (bytes + at - 1) / at * at), bytes);
}

/// Data that do not fit behind the record, and room for the record's address in front of them.
void place_outside(explicit_task& t, sched::worker* w, std::size_t bytes,
                   std::size_t align) noexcept {
  const std::size_t front = std::max(align, std::size_t{16});
  const std::size_t all = bytes + front;
  char* block = nullptr;
  if (w != nullptr && all <= 256 && align <= 64) {
    t.place = all <= 128 ? data_home::block_128 : data_home::block_256;
    block = static_cast<char*>(or_fatal(w->blocks.take(all <= 128 ? 1 : 2), all));
    if (platform::race_detector_runs()) [[unlikely]]
      platform::forget_accesses(block, all);
  } else {
    t.place = data_home::heap;
    block = static_cast<char*>(from_heap(all, align));
  }
  KASURI_EXPECT(
      cheap, t.place != data_home::record && reinterpret_cast<std::uintptr_t>(block) % align == 0,
      "a block at %p for data at multiples of %zu", static_cast<void*>(block), align);
  t.data = block + front;
  // free_task needs the start again.
  static_cast<void**>(t.data)[-2] = block;
}

}  // namespace

void prepare_task(explicit_task& t, task& parent, std::size_t bytes, std::size_t align) noexcept {
  KASURI_EXPECT(cheap, t.parent == &parent && t.values == parent.values,
                "a task at depth %u, its parent at %u", t.depth, parent.depth);
  if (parent.own_values != nullptr) inherit_values(t, parent);
  if (bytes > data_room || align > 16) place_outside(t, sched::current(), bytes, align);
  static_cast<void**>(t.data)[-1] = &t;
}

void* allocate_task() noexcept {
  if (sched::current() == nullptr) expect_tasks_of_one();
  sched::worker* const w = sched::current();
  return w != nullptr ? or_fatal(w->blocks.take(record_class), record_bytes)
                      : from_heap(record_bytes, 64);
}

}  // namespace kasuri::omp
