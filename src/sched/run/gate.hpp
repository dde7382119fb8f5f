// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a worker comes from the tasks of one arena to those of another: arena/arena_state.hpp says
// what an arena is to workers, arena/permits.hpp who waits for what.

#include "kasuri/detail/frame.hpp"
#include "sched/arena/arena_state.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

/// The frame needs another permit than the one that `w` holds, or none: w gives its own back.
/// False: there is no permit, and the frame waits in its arena.
[[nodiscard]] bool admit_to(worker& w, arena_state* to, detail::frame* f) noexcept;

/// The frame may have waited, and needs no permit now that w has one of its arena.
void note_arrival(worker& w, arena_state* in, const detail::frame* f) noexcept;

/// Before `w`, the caller's worker, runs `f` or goes on with it. False: w is to take another frame.
[[nodiscard]] inline bool admit(worker& w, detail::frame* f) noexcept {
  if (!use_arenas()) [[likely]]
    return true;
  arena_state* const to = arena_of(f);
  if (to != w.face.arena) return admit_to(w, to, f);
  if (to != nullptr && to->permits.has_sent()) [[unlikely]]
    note_arrival(w, to, f);
  return true;
}

/// w, which has a permit, gives it back.
void give_permit_back(worker& w) noexcept;

/// Before `w` looks for work of others, sleeps, or has no token: it holds no permit behind this.
inline void leave_arena(worker& w) noexcept {
  if (w.face.arena != nullptr) [[unlikely]]
    give_permit_back(w);
}

/// A thread of w's arena goes on on another worker: the permit goes with it.
void pass_permit_on(worker& w, suspended* s) noexcept;

/// The calling task goes on in the arena `to`, or in none (null). It gives its own permit back, and
/// waits if there is no other. False, and nothing has happened: there is no memory to wait with.
[[nodiscard]] bool try_go_over(arena_state* to) noexcept;
/// The same, for who cannot refuse: ends the process with a line where there is no memory.
void go_over(arena_state* to) noexcept;

}  // namespace kasuri::sched
