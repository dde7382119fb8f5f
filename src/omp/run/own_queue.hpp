// SPDX-License-Identifier: Apache-2.0
#pragma once

// A member pushes to its own queue (task/task_queue.hpp) and pops from it, answers the thieves that
// it meets on the way, and tells members that sleep.

#include "omp/team/member.hpp"

namespace kasuri::omp {

/// The rest of push_task: a thief asks, or the deque is full or cannot be made.
bool push_slow(member& m, task_queue::slot* at) noexcept;

/// Queues a task on m. False: refused, the caller keeps it.
[[gnu::always_inline]] inline bool push_task(member& m, detail::frame* t) noexcept {
  task_queue::slot* at;
  return m.tasks.push(t, at) || push_slow(m, at);
}

/// Takes m's newest task: of all, or of those above the mark.
detail::frame* pop_task(member& m, bool above_mark_only) noexcept;

/// The same as has_room after answering thieves and making the deque. False: m is crowded, or there
/// is no memory.
bool make_room(member& m) noexcept;

/// After a push, when m makes calls because it has queued enough for now: whether it is to queue
/// again, since thieves took all, and the calls are long enough for that.
bool wants_more(member& m) noexcept;

}  // namespace kasuri::omp
