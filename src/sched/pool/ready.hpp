// SPDX-License-Identifier: Apache-2.0
#pragma once

// Suspended threads that may go on, and tasks of groups that have ended: what one thread does for
// others that wait. kernel/suspended.hpp has the states of a thread.

#include "kasuri/detail/frame.hpp"
#include "sched/kernel/suspended.hpp"

namespace kasuri::sched {

struct worker;

/// Lets a suspended thread go on: it joins the calling worker's ready ring (or the pool's inbox).
/// From any thread.
void make_ready(suspended* s) noexcept;

/// As make_ready, for a chain linked by `next`.
void make_all_ready(suspended* chain) noexcept;

/// Sends the thread `s`, which may go on, to the worker where it had better.
void send_to_place(suspended* s) noexcept;

/// Reports the ends of tasks that the worker has counted but not reported, before it turns to
/// something else than tasks of that group.
void settle_tally(worker& w) noexcept;

/// Whether a frame is a task of the group, or a part of one.
inline bool belongs(const detail::frame* f, const detail::group* g) noexcept {
  return static_cast<const void*>(f->in) == static_cast<const void*>(g);
}

}  // namespace kasuri::sched
