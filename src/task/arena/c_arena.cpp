// SPDX-License-Identifier: Apache-2.0
// The C face of arenas: a handle is the record itself.

#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "kasuri/arena.hpp"
#include "kasuri/kasuri.h"
#include "kasuri/runtime.hpp"
#include "kasuri/task.hpp"
#include "task/arena/arena_end.hpp"

namespace detail = kasuri::detail;

namespace {

detail::arena_record* inside(kasuri_arena_t a) noexcept {
  return reinterpret_cast<detail::arena_record*>(a);
}

/// A C program may pass any number, which is no value of the type for C++.
std::optional<kasuri::priority> inside(const kasuri_priority_t& p) noexcept {
  std::underlying_type_t<kasuri_priority_t> number;
  std::memcpy(&number, &p, sizeof number);
  switch (number) {
    case KASURI_PRIORITY_LOW:
      return kasuri::priority::low;
    case KASURI_PRIORITY_NORMAL:
      return kasuri::priority::normal;
    case KASURI_PRIORITY_HIGH:
      return kasuri::priority::high;
  }
  return std::nullopt;
}

}  // namespace

extern "C" {

int kasuri_arena_create(kasuri_arena_t* arena, int max_workers, kasuri_priority_t priority) {
  const std::optional<kasuri::priority> p = inside(priority);
  if (arena == nullptr || !p.has_value()) return KASURI_ERROR_INVALID;
  try {
    detail::arena_record* const a = max_workers == 0 ? detail::make_arena_without_bound(*p)
                                                     : detail::make_arena(max_workers, *p);
    *arena = reinterpret_cast<kasuri_arena_t>(a);
    return KASURI_SUCCESS;
  } catch (const std::invalid_argument&) {
    return KASURI_ERROR_INVALID;
  } catch (const std::bad_alloc&) {
    return KASURI_ERROR_MEMORY;
  }
}

int kasuri_arena_destroy(kasuri_arena_t arena) {
  if (arena == nullptr) return KASURI_ERROR_INVALID;
  switch (kasuri::task::try_end_arena(*inside(arena))) {
    case kasuri::task::arena_end::by_its_own_task:
      return KASURI_ERROR_DEADLOCK;
    case kasuri::task::arena_end::tasks_inside:
      return KASURI_ERROR_BUSY;
    case kasuri::task::arena_end::no_memory:
      return KASURI_ERROR_MEMORY;
    case kasuri::task::arena_end::ended:
      break;
  }
  return KASURI_SUCCESS;
}

int kasuri_arena_execute(kasuri_arena_t arena, void (*fn)(void*), void* arg) {
  if (arena == nullptr || fn == nullptr) return KASURI_ERROR_INVALID;
  std::optional<detail::attachment> guest;
  std::optional<detail::arena_visit> here;
  try {
    guest.emplace();
    here.emplace(*inside(arena));
  } catch (const std::bad_alloc&) {
    return KASURI_ERROR_MEMORY;
  }
  fn(arg);
  return KASURI_SUCCESS;
}

int kasuri_arena_enqueue(kasuri_arena_t arena, void (*fn)(void*), void* arg) {
  if (arena == nullptr || fn == nullptr) return KASURI_ERROR_INVALID;
  try {
    detail::enqueue_in(*inside(arena), [fn, arg] { fn(arg); });
    return KASURI_SUCCESS;
  } catch (const std::bad_alloc&) {
    return KASURI_ERROR_MEMORY;
  }
}

int kasuri_arena_max_concurrency(kasuri_arena_t arena) {
  return arena == nullptr ? 0 : detail::most_workers_in(*inside(arena));
}

}  // extern "C"
