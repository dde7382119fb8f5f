// SPDX-License-Identifier: Apache-2.0
#pragma once

// Between a thief and an owner: taking, asking, rescuing; and the owner's answer.

#include <atomic>

#include "kasuri/detail/frame.hpp"
#include "kasuri/detail/self.hpp"

namespace kasuri::sched {

class pool;
struct worker;

/// The result of one round over the places to look at.
struct look {
  detail::frame* found = nullptr;
  bool saw_work = false;  // there were frames, taken or not
};

/// A round of the program's own steal function: policy/custom_steal.hpp.
using custom_steal_round = look (*)(worker& thief, pool& all, bool& overruled) noexcept;

/// It, or null: then the policy alone decides. While there is one, thieves take under the lock of
/// the deque.
extern constinit std::atomic<custom_steal_round> custom_steals;

/// Tries to take a frame from `victim`: public, ready, then by request or rescue.
look take_from(worker& thief, worker& victim) noexcept;

/// The frame that an owner has given `w`, the thief that asked it; or null.
detail::frame* take_answer(worker& w) noexcept;

/// Closes the word for the answer, before `w` stops looking. False: a frame had come, which is in
/// the ready ring of `w` now.
bool withdraw(worker& w) noexcept;

/// Counts and records that `thief` has frame `f` of worker `victim`.
void note_steal(worker& thief, int victim, detail::frame* f) noexcept;

/// The owner's answer to a request: publishes, lets pushes be fast again, wakes.
void answer_thieves(worker& w) noexcept;

/// A join met the single task published in `slot` stolen, or (null) some task that it created: was
/// it worth it?
void learn_from_join(worker& w, detail::worker_slot* slot, bool finished) noexcept;

}  // namespace kasuri::sched
