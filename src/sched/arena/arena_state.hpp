// SPDX-License-Identifier: Apache-2.0
#pragma once

// What workers know of an arena, and which arena a frame belongs to.
//
// A task belongs to the arena of its scope, a thread that waits to the one that it was in. A worker
// holds a permit of the arena whose tasks it runs (worker_face::arena), from the first of them
// until it goes on with a frame of another arena, or finds none of its own: run/gate.hpp. So the
// thread that is to run a frame keeps the bound, wherever the frame lay; deques, rings and
// mailboxes know nothing of it.
//
// The memory of an arena is never given back: a thief may look at the arena of a victim that has
// long left it.

#include <atomic>
#include <cstddef>

#include "kasuri/priority.hpp"
#include "kasuri/detail/scope.hpp"
#include "sched/arena/permits.hpp"
#include "sched/kernel/suspended.hpp"

namespace kasuri::detail {

struct arena_state {
  sched::permits permits;
  /// Written before anybody knows the arena; thieves may read that of the one before it.
  std::atomic<priority> urgency{priority::normal};
};

}  // namespace kasuri::detail

namespace kasuri::sched {

using detail::arena_state;

inline constexpr std::size_t priorities = 3;

/// Whether this process has made an arena; and one of another priority than the normal one. Set
/// once: until then no frame is asked for its arena.
extern constinit std::atomic<bool> arenas_are_used;
extern constinit std::atomic<bool> priorities_are_used;

/// The caller runs, or has got by an acquire, the code that made what it asks about.
inline bool use_arenas() noexcept { return arenas_are_used.load(std::memory_order_relaxed); }
inline bool use_priorities() noexcept {
  return priorities_are_used.load(std::memory_order_relaxed);
}

/// The arena of a frame that the caller has taken; null: none.
inline arena_state* arena_of(const detail::frame* f) noexcept {
  if (f->type == &ready_thread) return static_cast<const suspended*>(f)->arena;
  return f->in == nullptr ? nullptr : f->in->arena;
}

inline priority priority_of(const arena_state* a) noexcept {
  return a == nullptr ? priority::normal : a->urgency.load(std::memory_order_relaxed);
}

/// The arena is to have so many permits and that priority. Nobody knows it yet.
void begin_arena(arena_state& a, int most, priority p) noexcept;

}  // namespace kasuri::sched
