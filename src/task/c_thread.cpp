// SPDX-License-Identifier: Apache-2.0
// The C face of the pool, of user-level threads and of loops.

#include <new>
#include <stdexcept>

#include "kasuri/kasuri.h"
#include "kasuri/parallel_for.hpp"
#include "kasuri/runtime.hpp"
#include "sched/run/suspend.hpp"
#include "task/local_values.hpp"
#include "task/thread.hpp"

namespace task = kasuri::task;

namespace {

task::thread* inside(kasuri_thread_t t) noexcept { return reinterpret_cast<task::thread*>(t); }
kasuri_thread_t outside(task::thread* t) noexcept { return reinterpret_cast<kasuri_thread_t>(t); }
kasuri::spawn inside(kasuri_spawn_t policy) noexcept {
  return policy == KASURI_CHILD_FIRST ? kasuri::spawn::child_first : kasuri::spawn::parent_first;
}

int give(task::thread* created, kasuri_thread_t* to) noexcept {
  if (created == nullptr) return KASURI_ERROR_MEMORY;
  *to = outside(created);
  return KASURI_SUCCESS;
}

}  // namespace

extern "C" {

int kasuri_init(int workers) {
  try {
    kasuri::initialize({.workers = workers});
    return KASURI_SUCCESS;
  } catch (const std::invalid_argument&) {
    return KASURI_ERROR_INVALID;
  } catch (const std::logic_error&) {
    return KASURI_ERROR_STATE;
  } catch (const std::bad_alloc&) {
    return KASURI_ERROR_MEMORY;
  }
}

int kasuri_finalize(void) {
  try {
    kasuri::finalize();
    return KASURI_SUCCESS;
  } catch (const std::logic_error&) {
    return KASURI_ERROR_STATE;
  }
}

int kasuri_num_workers(void) { return kasuri::num_workers(); }

int kasuri_max_slots(void) { return kasuri::max_slots(); }

int kasuri_slot(void) { return kasuri::this_task::slot(); }

int kasuri_worker(void) { return kasuri::this_task::worker(); }

int kasuri_thread_create(kasuri_thread_t* thread, void* (*fn)(void*), void* arg,
                         kasuri_spawn_t policy) {
  if (thread == nullptr || fn == nullptr) return KASURI_ERROR_INVALID;
  if (policy != KASURI_PARENT_FIRST && policy != KASURI_CHILD_FIRST) return KASURI_ERROR_INVALID;
  return give(task::create_thread(fn, arg, inside(policy)), thread);
}

int kasuri_thread_create_with(kasuri_thread_t* thread, void* (*fn)(void*), void* arg,
                              const kasuri_thread_options_t* o) {
  if (thread == nullptr || fn == nullptr || o == nullptr) return KASURI_ERROR_INVALID;
  if (o->policy != KASURI_PARENT_FIRST && o->policy != KASURI_CHILD_FIRST)
    return KASURI_ERROR_INVALID;
  if (o->hint == nullptr && o->hint_bytes != 0) return KASURI_ERROR_INVALID;
  task::thread_start how{.policy = inside(o->policy), .hint = {o->hint, o->hint_bytes}};
  switch (o->place.kind) {
    case KASURI_ANYWHERE:
      break;
    case KASURI_NODE:
      how.place = kasuri::on_node(o->place.index);
      break;
    case KASURI_WORKER:
      how.place = kasuri::on_worker(o->place.index);
      break;
    default:
      return KASURI_ERROR_INVALID;
  }
  return give(task::create_thread(fn, arg, how), thread);
}

kasuri_place_t kasuri_near(const void* data) {
  const kasuri::where place = kasuri::near(data);
  if (place == kasuri::where{}) return {KASURI_ANYWHERE, 0};
  return {KASURI_NODE, place.index};
}

int kasuri_thread_join(kasuri_thread_t thread, void** result) {
  if (thread == nullptr) return KASURI_ERROR_INVALID;
  switch (task::join_thread(inside(thread), result)) {
    case task::join_result::joined:
      return KASURI_SUCCESS;
    case task::join_result::itself:
      return KASURI_ERROR_DEADLOCK;
    case task::join_result::no_memory:
      return KASURI_ERROR_MEMORY;
    case task::join_result::joined_by_another:
      break;
  }
  return KASURI_ERROR_BUSY;
}

int kasuri_thread_detach(kasuri_thread_t thread) {
  if (thread == nullptr) return KASURI_ERROR_INVALID;
  return task::detach_thread(inside(thread)) ? KASURI_SUCCESS : KASURI_ERROR_BUSY;
}

kasuri_thread_t kasuri_thread_self(void) { return outside(task::known_current_thread()); }

void kasuri_yield(void) { kasuri::sched::yield(); }

int kasuri_key_create(kasuri_key_t* key, void (*destructor)(void*)) {
  if (key == nullptr) return KASURI_ERROR_INVALID;
  const unsigned k = task::create_key(destructor);
  if (k == task::most_keys) return KASURI_ERROR_AGAIN;
  *key = k;
  return KASURI_SUCCESS;
}

int kasuri_key_delete(kasuri_key_t key) {
  return task::delete_key(key) ? KASURI_SUCCESS : KASURI_ERROR_INVALID;
}

int kasuri_key_set(kasuri_key_t key, void* value) {
  if (!task::key_exists(key)) return KASURI_ERROR_INVALID;
  return task::set_local(key, value) ? KASURI_SUCCESS : KASURI_ERROR_MEMORY;
}

void* kasuri_key_get(kasuri_key_t key) {
  return task::key_exists(key) ? task::get_local(key) : nullptr;
}

int kasuri_parallel_for(int64_t begin, int64_t end, int64_t grain,
                        void (*fn)(int64_t, int64_t, void*), void* arg) {
  if (fn == nullptr || grain < 0 || end < begin) return KASURI_ERROR_INVALID;
  if (begin == end) return KASURI_SUCCESS;
  // Pieces of the caller's grain, or of a size that costs little beside a call through a pointer.
  constexpr std::uint64_t default_pieces = 1024;
  // Unsigned: a range may be longer than the largest int64_t.
  const std::uint64_t count = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  const std::uint64_t piece = grain != 0 ? static_cast<std::uint64_t>(grain)
                                         : kasuri::detail::divide_up(count, default_pieces);
  const auto at = [=](std::uint64_t i) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(begin) + i);
  };
  const std::uint64_t pieces = kasuri::detail::divide_up(count, piece);
  const auto run_piece = [=](std::uint64_t i) {
    fn(at(i * piece), i + 1 == pieces ? end : at((i + 1) * piece), arg);
  };
  // All loops of C are of this kind: nothing is known of one by another.
  kasuri::detail::loop_each<kasuri::detail::cancellation::obeyed, kasuri::detail::waiting_bodies>(
      pieces, 0, run_piece);
  return KASURI_SUCCESS;
}
}
