// SPDX-License-Identifier: Apache-2.0
#pragma once

// The record of an explicit task: one block, with the task's data behind it where they fit.
//
// As a frame of the scheduler's deque it is named by its address; of the fields of a frame only
// `type` keeps its meaning. The deque never runs it.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "omp/task/task.hpp"
#include "platform/base/expect.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::omp {

struct dependence_node;
struct explicit_task;

/// The code of the compilers' tasks.
using gcc_task = void (*)(void* data);
using clang_task = std::int32_t (*)(std::int32_t thread, void* data);

/// Where a detached task and its event stand.
enum class detach_state : std::uint8_t {
  open,
  fulfilled,
  ended,      // its code has run: the event ends it
  discarded,  // cancelled before its code began, and ended: its record waits for the event
};

/// Where a task's data are: behind the record, in a block of class 1 or 2, or from malloc.
enum class data_home : std::uint8_t { record, block_128, block_256, heap };
inline constexpr int bits_of_data_home = 2;
static_assert(static_cast<unsigned>(data_home::heap) < 1u << bits_of_data_home);

/// Why the end of a task is not the usual one.
namespace special_end {
inline constexpr std::uint8_t detachable = 2;  // it has an event
inline constexpr std::uint8_t destroys = 4;    // Clang's data have destructors (clang_task.hpp)
inline constexpr std::uint8_t node = 8;        // it has dependences
// The creator has copied objects for it, which its code destroys: it runs even if it is cancelled
// (GCC).
inline constexpr std::uint8_t code_destroys = 16;
inline constexpr std::uint8_t discarded = 32;  // it was cancelled, and its code has not run
inline constexpr unsigned all = detachable | destroys | node | code_destroys | discarded;
static_assert(std::popcount(all) == 5, "two ends have the same bit");
}  // namespace special_end

struct explicit_task : detail::frame, task {
  void (*function)();  // a gcc_task or clang_task
  void* data;          // its argument
  dependence_node* node = nullptr;
  std::atomic<detach_state> event{detach_state::open};
  std::int8_t where = -1;    // the node where it had better run, or -1 (task_where.hpp)
  std::uint8_t special = 0;  // bits of special_end
  data_home place : bits_of_data_home = data_home::record;
  bool clang : 1 = false;
  bool counted : 1 = false;     // by its parent, its group and its team
  bool undeferred : 1 = false;  // its creator waits for its end
  bool lingered : 1 = false;    // it ended before its descendants: it holds its parent's record
  bool on_heap : 1 = false;     // not a block of the scheduler
  bool serial : 1 = false;      // the program says that its creator waits for its end: if(0)
  bool goes_on = false;  // of an untied task: its code is to be called again, for its next part

  bool is(std::uint8_t bits) const noexcept { return (special & bits) != 0; }

  // Two fields of the frame have another meaning here.
  /// The team it was created in.
  team& home() const noexcept { return *reinterpret_cast<team*>(in); }
  void set_home(team* t) noexcept { in = reinterpret_cast<detail::scope*>(t); }
  /// The next one in a list of the team (task_list.hpp). Before a task is queued the word is free
  /// for the use of the ABI that made it.
  explicit_task* next() const noexcept { return reinterpret_cast<explicit_task*>(join); }
  void set_next(explicit_task* t) noexcept { join = reinterpret_cast<std::uintptr_t>(t); }
};

/// The record's block, and the room for data in it. In front of Clang's data lies the address of
/// the record, which the compiled code does not know.
inline constexpr int record_class = 2;
inline constexpr std::size_t record_bytes = sched::block_sizes[record_class];
inline constexpr std::size_t data_offset = (sizeof(explicit_task) + sizeof(void*) + 15) / 16 * 16;
inline constexpr std::size_t data_room = record_bytes - data_offset;
static_assert(data_room >= 80);
static_assert(data_offset + data_room <= record_bytes && data_offset % 16 == 0);

/// The record that Clang's task belongs to.
inline explicit_task& task_of(const void* clang_data) noexcept {
  explicit_task& t = *static_cast<explicit_task* const*>(clang_data)[-1];
  KASURI_EXPECT(cheap, t.data == clang_data && t.clang, "task %p has the data %p, not %p",
                static_cast<void*>(&t), t.data, clang_data);
  return t;
}

extern constinit const detail::frame_type task_kind;

/// Frees a record that has values or data of its own, or is not a block.
void free_task_slow(explicit_task& t) noexcept;

/// Nobody keeps the record, and what it has of dependences is gone.
inline void expect_unused(const explicit_task& t) noexcept {
  KASURI_EXPECT(cheap, t.holds.load(std::memory_order_relaxed) <= 1,
                "a task at depth %u is freed with %u holds", t.depth,
                t.holds.load(std::memory_order_relaxed));
  KASURI_EXPECT(cheap, t.ended || t.children.here() == 0,
                "a task at depth %u is freed with %ld children", t.depth, t.children.here());
  KASURI_EXPECT(cheap, t.dependences == nullptr && t.node == nullptr,
                "a task at depth %u is freed with a table %p and a node %p", t.depth,
                static_cast<void*>(t.dependences), static_cast<void*>(t.node));
}

/// Frees the record and what it owns, without a look at holds.
[[gnu::always_inline]] inline void free_task(explicit_task& t) noexcept {
  expect_unused(t);
  sched::worker* const w = sched::current();
  if (w == nullptr || t.own_values != nullptr || t.place != data_home::record || t.on_heap ||
      t.tool != nullptr) [[unlikely]]
    return free_task_slow(t);
  w->blocks.put(&t, record_class);
}

}  // namespace kasuri::omp
