// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thief at the deque of a victim: workers of the pool and members of OpenMP teams.
//
//   public frames   the thief takes the oldest
//   private ones    it asks the owner, which publishes at its next push; when the owner has been
//                   asked and does not come to it, the thief makes the oldest one public itself
//                   (rescue)
//
// Front ends differ in two parameters: the frames that the thief may take, and its watch, which
// says how long an owner is left alone.

#include "platform/base/expect.hpp"
#include "sched/kernel/deque.hpp"

namespace kasuri::sched {

/// Takes the oldest public frame, as long as may_take() says that it may be one for this thief.
/// Null: there is none. `in_order` says whether others look at frames before they take them: then
/// all take under the lock.
template <class A, class InOrder, class MayTake>
frame* take_public(deque<A>& victim, InOrder in_order, MayTake may_take) noexcept {
  frame* f = nullptr;
  while (may_take()) {
    switch (in_order() ? victim.steal_locked(f) : victim.steal(f)) {
      case steal_result::taken:
        KASURI_EXPECT(cheap, f != nullptr && f->type != nullptr, "frame %p was taken",
                      static_cast<void*>(f));
        return f;
      case steal_result::empty:
        return nullptr;
      case steal_result::lost:
        A::pause();
    }
  }
  return nullptr;
}

/// Nothing is public. True: the thief has made a frame public, and had better take it.
///
///   watch.ask()            nobody asks just now: asks, or leaves the owner alone for a while
///   watch.ask_too()        a request stands
///   watch.owner_is_stuck() there are frames, and the owner has had time enough to answer
///   watch.could_not_rescue() ... and yet none of them could be made public
template <class A, class Watch>
bool ask_or_rescue(deque<A>& victim, Watch&& watch) noexcept {
  if (!victim.asked()) {
    watch.ask();
    return false;
  }
  watch.ask_too();
  if (!watch.owner_is_stuck()) return false;
  if (victim.rescue()) return true;
  watch.could_not_rescue();
  return false;
}

}  // namespace kasuri::sched
