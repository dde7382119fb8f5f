// SPDX-License-Identifier: Apache-2.0
#pragma once

// A scope: what a task belongs to (a task group, a thread), for cancellation and identity. The
// scopes that enclose a task form a chain through `parent`; each outlives the tasks within.

#include <atomic>

#include "kasuri/detail/self.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct arena_state;
struct thread;

struct scope {
  scope* parent = nullptr;
  std::atomic<bool> canceled{false};
  /// The user-level thread that this scope is, or null for a group.
  thread* as_thread = nullptr;
  /// The arena that its tasks belong to, or null (src/sched/arena/arena_state.hpp).
  arena_state* arena = nullptr;

  /// Whether this scope or one around it was cancelled.
  bool canceled_here_or_above() const noexcept {
    for (const scope* s = this; s != nullptr; s = s->parent)
      if (s->canceled.load(std::memory_order_relaxed)) return true;
    return false;
  }
};

/// The scope of the calling task; null outside.
inline scope* current_scope() noexcept {
  const worker_face* face = self();
  return face == nullptr ? nullptr : face->current;
}

/// Sets it. The caller is on a worker.
inline void current_scope(scope* s) noexcept { self()->current = s; }

/// A task that may outlive the code that makes it belongs to that arena, which lives until
/// end_task_in is called. The result is a scope for the task.
[[gnu::cold]] scope* begin_task_in(arena_state* a) noexcept;
[[gnu::cold]] void end_task_in(arena_state* a) noexcept;

/// The scope for such a task of the caller: null outside of arenas.
inline scope* begin_lasting_task() noexcept {
  const worker_face* face = self();
  return face == nullptr || face->arena == nullptr ? nullptr : begin_task_in(face->arena);
}

}  // namespace detail
}  // namespace kasuri
