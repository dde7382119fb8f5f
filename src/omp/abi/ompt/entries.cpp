// SPDX-License-Identifier: Apache-2.0
// The functions by which a tool asks the runtime (OpenMP 5.1, section 4.6.1). Any thread may ask,
// also one that the runtime does not know: it learns that there is nothing.

#include "omp/abi/ompt/entries.hpp"

#include <malloc.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "omp/abi/omp/omp_api.hpp"
#include "omp/abi/ompt/callbacks.hpp"
#include "omp/abi/ompt/info_of.hpp"
#include "omp/abi/ompt/load.hpp"
#include "omp/env/environment.hpp"
#include "omp/place/places.hpp"
#include "omp/task/task_record.hpp"
#include "omp/tool/mutex.hpp"
#include "omp/tool/thread.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp::tool {
namespace {

struct named {
  std::int32_t number;
  const char* name;
};

// `undefined` stands for the begin of the list, too.
constexpr named states[] = {
    {static_cast<int>(state::undefined), "ompt_state_undefined"},
    {static_cast<int>(state::work_serial), "ompt_state_work_serial"},
    {static_cast<int>(state::work_parallel), "ompt_state_work_parallel"},
    {static_cast<int>(state::work_reduction), "ompt_state_work_reduction"},
    {static_cast<int>(state::wait_barrier_implicit_parallel),
     "ompt_state_wait_barrier_implicit_parallel"},
    {static_cast<int>(state::wait_barrier_implicit_workshare),
     "ompt_state_wait_barrier_implicit_workshare"},
    {static_cast<int>(state::wait_barrier_explicit), "ompt_state_wait_barrier_explicit"},
    {static_cast<int>(state::wait_barrier_implementation),
     "ompt_state_wait_barrier_implementation"},
    {static_cast<int>(state::wait_barrier_teams), "ompt_state_wait_barrier_teams"},
    {static_cast<int>(state::wait_taskwait), "ompt_state_wait_taskwait"},
    {static_cast<int>(state::wait_taskgroup), "ompt_state_wait_taskgroup"},
    {static_cast<int>(state::wait_lock), "ompt_state_wait_lock"},
    {static_cast<int>(state::wait_critical), "ompt_state_wait_critical"},
    {static_cast<int>(state::wait_atomic), "ompt_state_wait_atomic"},
    {static_cast<int>(state::wait_ordered), "ompt_state_wait_ordered"},
    {static_cast<int>(state::idle), "ompt_state_idle"},
};

// 0 stands for the begin of the list.
constexpr named mutexes[] = {
    {0, "ompt_mutex_impl_none"},
    {parking_mutex, "kasuri_mutex_impl_parking"},
};

/// The one behind `current` in the list. 0: there is none, or no `current`.
int next_named(std::span<const named> list, int current, int* next, const char** name) noexcept {
  const auto at = std::ranges::find(list, current, &named::number);
  if (at == list.end() || at + 1 == list.end()) return 0;
  *next = at[1].number;
  *name = at[1].name;
  return 1;
}

int enumerate_states(int current, int* next, const char** name) noexcept {
  return next_named(states, current, next, name);
}

int enumerate_mutex_impls(int current, int* next, const char** name) noexcept {
  return next_named(mutexes, current, next, name);
}

set_result set_callback(std::int32_t number, function f) noexcept {
  if (number <= 0 || number > last_event) return set_result::error;
  if (!is_reported(number)) return set_result::never;
  registered[number].store(f, std::memory_order_relaxed);
  return set_result::always;
}

int get_callback(std::int32_t number, function* f) noexcept {
  if (number <= 0 || number > last_event) return 0;
  const function set = registered[number].load(std::memory_order_relaxed);
  if (set == nullptr) return 0;
  *f = set;
  return 1;
}

/// A thread of its own for the tool: it has begun.
bool is_known() noexcept { return known_here() != nullptr; }

data* get_thread_data() noexcept {
  thread* const t = known_here();
  return t != nullptr ? &t->word : nullptr;
}

int get_num_procs() noexcept { return environment().procs; }
int get_num_places() noexcept { return static_cast<int>(places().size()); }

int get_place_proc_ids(int place, int room, int* ids) noexcept {
  if (place < 0 || place >= get_num_places()) return 0;
  const auto& cpus = places()[static_cast<std::size_t>(place)];
  const int count = static_cast<int>(cpus.size());
  if (ids != nullptr)
    for (int i = 0; i != std::min(count, room); ++i) ids[i] = cpus[static_cast<std::size_t>(i)];
  return count;
}

int get_place_num() noexcept { return is_known() ? self().places.bound : -1; }

int get_partition_place_nums(int room, int* numbers) noexcept {
  if (!is_known()) return 0;
  const place_partition& mine = self().places;
  if (numbers != nullptr && mine.count <= room) kasuri_omp_get_partition_place_nums(numbers);
  return mine.count;
}

int get_proc_id() noexcept { return is_known() ? sched_getcpu() : -1; }

state get_state(std::uint64_t* waits_for) noexcept {
  const thread* const t = known_here();
  // A thread that has not called the runtime is outside all regions.
  if (t == nullptr) return state::work_serial;
  if (waits_for != nullptr) *waits_for = t->waits_for;
  return t->now;
}

constexpr int available = 2;

int get_parallel_info(int level, data** region, int* size) noexcept {
  if (!is_known() || level < 0) return 0;
  team* t = self().in;
  for (; level != 0 && t != nullptr; --level) t = t->outer;
  if (t == nullptr) return 0;
  if (region != nullptr) *region = &t->tool.word;
  if (size != nullptr) *size = t->size;
  return available;
}

/// A task on the stack of tasks that interrupt each other, and the member that runs it.
struct running {
  task* what;
  member* on;

  bool down() noexcept {
    const task_info& info = info_of(*what);
    if (!what->implicit)
      what = info.interrupted != nullptr ? info.interrupted : what->parent;
    else if (on->in->parent != nullptr)
      *this = {on->in->parent->current, on->in->parent};
    else
      return false;
    return true;
  }
};

int get_task_info(int level, std::uint32_t* flags, data** word, frame** where, data** region,
                  int* number) noexcept {
  if (!is_known() || level < 0) return 0;
  member& m = self();
  running at{m.current, &m};
  for (; level != 0; --level)
    if (!at.down()) return 0;
  task_info& info = info_of(*at.what);
  if (flags != nullptr) *flags = info.flags;
  if (word != nullptr) *word = &info.word;
  if (where != nullptr) *where = &info.where;
  if (region != nullptr) *region = region_of(*at.on);
  if (number != nullptr) *number = at.on->number;
  return available;
}

/// The bytes from a task's data to the end of their block.
std::size_t room_of(const explicit_task& t) noexcept {
  void* const block = t.place == data_home::record ? nullptr : static_cast<void**>(t.data)[-2];
  const auto front =
      static_cast<std::size_t>(static_cast<char*>(t.data) - static_cast<char*>(block));
  switch (t.place) {
    // GCC's undeferred tasks have their data in the creator's frame.
    case data_home::record:
      return t.data == reinterpret_cast<const std::byte*>(&t) + data_offset ? data_room : 0;
    case data_home::block_128:
      KASURI_EXPECT(cheap, front < 128, "data %zu bytes into a block of 128", front);
      return 128 - front;
    case data_home::block_256:
      KASURI_EXPECT(cheap, front < 256, "data %zu bytes into a block of 256", front);
      return 256 - front;
    case data_home::heap:
      return malloc_usable_size(block) - front;
  }
  return 0;
}

int get_task_memory(void** memory, std::size_t* size, int block) noexcept {
  *memory = nullptr;
  *size = 0;
  if (!is_known() || self().current->implicit || block != 0) return 0;
  const auto& t = static_cast<const explicit_task&>(*self().current);
  *size = t.data != nullptr ? room_of(t) : 0;
  if (*size != 0) *memory = t.data;
  return 0;  // no other block
}

std::uint64_t get_unique_id() noexcept {
  static constinit std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

int get_target_info(std::uint64_t*, std::uint64_t*, std::uint64_t*) noexcept { return 0; }
int get_num_devices() noexcept { return 1; }  // the host
void finalize_tool() noexcept { finish(); }

struct entry {
  const char* name;
  function code;
};

template <class F>
entry make(const char* name, F* f) noexcept {
  return {name, reinterpret_cast<function>(f)};
}

}  // namespace

bool is_reported(std::int32_t number) noexcept {
  constexpr std::int32_t of_devices[] = {8, 9, 10, 12, 13, 14, 15, 22, 33, 34, 35, 36};
  return std::ranges::find(of_devices, number) == std::end(of_devices);
}

function find_entry(const char* name) noexcept {
  static const entry all[] = {
      make("ompt_enumerate_states", enumerate_states),
      make("ompt_enumerate_mutex_impls", enumerate_mutex_impls),
      make("ompt_set_callback", set_callback),
      make("ompt_get_callback", get_callback),
      make("ompt_get_thread_data", get_thread_data),
      make("ompt_get_num_procs", get_num_procs),
      make("ompt_get_num_places", get_num_places),
      make("ompt_get_place_proc_ids", get_place_proc_ids),
      make("ompt_get_place_num", get_place_num),
      make("ompt_get_partition_place_nums", get_partition_place_nums),
      make("ompt_get_proc_id", get_proc_id),
      make("ompt_get_state", get_state),
      make("ompt_get_parallel_info", get_parallel_info),
      make("ompt_get_task_info", get_task_info),
      make("ompt_get_task_memory", get_task_memory),
      make("ompt_get_unique_id", get_unique_id),
      make("ompt_get_target_info", get_target_info),
      make("ompt_get_num_devices", get_num_devices),
      make("ompt_finalize_tool", finalize_tool),
  };
  for (const entry& e : all)
    if (std::strcmp(name, e.name) == 0) return e.code;
  return nullptr;
}

}  // namespace kasuri::omp::tool
