// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the record of a task is made. Its memory is the scheduler's blocks on its workers, malloc's
// elsewhere.

#include <cstddef>
#include <cstdint>
#include <new>

#include "omp/task/task_record.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

/// Memory of a record; does not fail. In a region the calling thread is a worker behind it. A
/// block, on a worker.
void* allocate_task() noexcept;

/// The parts of making a record that most tasks have no need of.
void prepare_task(explicit_task& t, task& parent, std::size_t bytes, std::size_t align) noexcept;

/// A record of a task that `parent` creates now in a team; not counted yet. Its data, `bytes` of
/// them at `align`, are not initialised.
[[gnu::always_inline]] inline explicit_task& make_task(task& parent, team* home, std::size_t bytes,
                                                       std::size_t align) noexcept {
  sched::worker* w = sched::current();
  void* memory = w != nullptr ? w->blocks.take(record_class) : nullptr;
  if (memory == nullptr) [[unlikely]] {
    memory = allocate_task();
    w = sched::current();  // the thread may be one now
  }
  if (platform::race_detector_runs()) [[unlikely]]
    platform::forget_accesses(memory, record_bytes, record_bytes);
  KASURI_EXPECT(cheap, reinterpret_cast<std::uintptr_t>(memory) % alignof(explicit_task) == 0,
                "a record at %p", memory);
  KASURI_EXPECT(cheap, !parent.ended, "a task at depth %u creates one and has ended", parent.depth);
  KASURI_EXPECT(cheap, align != 0 && (align & (align - 1)) == 0, "data at multiples of %zu", align);
  auto& t = *new (memory) explicit_task;
  t.type = &task_kind;
  t.set_home(home);
  t.on_heap = w == nullptr;
  t.parent = &parent;
  t.group = parent.group;
  t.depth = parent.depth + 1;
  t.values = parent.values;
  t.data = static_cast<char*>(memory) + data_offset;
  static_cast<void**>(t.data)[-1] = &t;
  if (bytes > data_room || align > 16 || parent.own_values != nullptr) [[unlikely]]
    prepare_task(t, parent, bytes, align);
  return t;
}

}  // namespace kasuri::omp
