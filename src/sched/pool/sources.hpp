// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sources in which a worker without a task finds one, as a list: a round of a search goes
// through it in order.
//
//   look(round)      takes a frame from the source for the worker of the round, or returns null
//   may_hold(who)    whether the source could have a frame for that worker: a snapshot
//
// A search (run/search.cpp) goes through the list until a source gives a frame. The last look
// before a worker sleeps, behind the heavy fence of kernel/idle.hpp, asks may_hold of the same list
// (pool::work_offered): so a source that is added cannot be searched and forgotten there, or the
// other way round. A list is a type: a search has no virtual call but those of the policy, and no
// loop over the list at run time.

#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/steal.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

/// One round of a worker over the sources.
struct search_round {
  pool& all;
  worker& w;
  std::uint64_t idle_for = 0;  // ticks, since the search began
  std::uint64_t patience = 0;  // ticks, for which it leaves to others what was sent to them
  custom_steal_round custom = nullptr;  // the program's own steal function
  bool holds_back = false;              // the policy has it leave to others what is theirs
  bool by_policy = true;  // it steals where the policy says, not where the program does
  bool saw_work = false;  // there were frames, taken or not

  /// Notes what a round of steals has come to.
  detail::frame* note(const look& l) noexcept {
    saw_work |= l.saw_work;
    return l.found;
  }
};

/// The worker that asks whether there is work, or a thread that asks for all workers.
struct onlooker {
  const pool& all;
  const worker* who = nullptr;  // null: nobody in particular; the frames of every worker count then
  bool offered = false;         // only frames that thieves may have, now or when they ask

  /// Whether the deque of `v` counts.
  bool counts(const worker& v) const noexcept;
  /// Whether a worker other than the onlooker has something for it.
  bool may_steal() const noexcept;
};

namespace sources {

/// The answer of the owner that the worker asked. A worker withdraws its request before it sleeps.
struct answer {
  static detail::frame* look(search_round& r) noexcept { return take_answer(r.w); }
  static bool may_hold(const onlooker&) noexcept { return false; }
};

/// A frame that only this worker may run.
struct returning {
  static detail::frame* look(search_round& r) noexcept { return r.w.take_returning(); }
  static bool may_hold(const onlooker& o) noexcept {
    return o.who != nullptr && !o.who->returning.empty();
  }
};

struct own_deque {
  static detail::frame* look(search_round& r) noexcept { return r.w.queue.pop(); }
  static bool may_hold(const onlooker& o) noexcept { return o.who != nullptr && o.counts(*o.who); }
};

struct own_ring {
  static detail::frame* look(search_round& r) noexcept { return r.w.ready.take(); }
  static bool may_hold(const onlooker& o) noexcept {
    return o.who != nullptr && !o.who->ready.empty();
  }
};

/// Frames that wait for a permit of the arena that the worker is in. While some wait, others have
/// all permits, and the last of them leaves none behind: a worker that sleeps has no permit.
struct waiting_for_permit {
  static detail::frame* look(search_round& r) noexcept {
    arena_state* const a = r.w.face.arena;
    // In the child of a fork, the frames that wait are the parent's.
    return a == nullptr || r.all.orphan() != nullptr ? nullptr : a->permits.take_waiting();
  }
  static bool may_hold(const onlooker&) noexcept { return false; }
};

/// Frames that were sent to the worker, or to its node.
struct own_mail {
  static detail::frame* look(search_round& r) noexcept { return r.all.take_letter(r.w); }
  static bool may_hold(const onlooker& o) noexcept {
    return o.who != nullptr && o.all.has_letter(*o.who);
  }
};

/// By the program's own steal function. It takes from the deques that near_victims asks about.
struct custom_victims {
  static detail::frame* look(search_round& r) noexcept {
    return r.custom == nullptr ? nullptr : r.note(r.custom(r.w, r.all, r.by_policy));
  }
  static bool may_hold(const onlooker&) noexcept { return false; }
};

/// Other workers' deques and rings: those near by the policy.
struct near_victims {
  static detail::frame* look(search_round& r) noexcept {
    if (!r.by_policy || r.holds_back) return nullptr;
    return r.note(r.all.scheduling().steal_near(r.w, r.all));
  }
  static bool may_hold(const onlooker& o) noexcept { return o.may_steal(); }
};

/// Frames of the priority that the worker looks for, which is the normal one where none is in use.
struct inbox {
  static detail::frame* look(search_round& r) noexcept { return r.all.take_from_inbox(r.w.seeks); }
  static bool may_hold(const onlooker& o) noexcept { return o.all.has_inbox(); }
};

/// Letters to others that have let them lie for a while.
struct far_mail {
  static detail::frame* look(search_round& r) noexcept {
    return !r.holds_back && r.idle_for >= r.patience ? r.all.take_far_letter(r.w) : nullptr;
  }
  static bool may_hold(const onlooker& o) noexcept { return o.all.has_far_letter(o.who); }
};

/// All other workers. near_victims asks about them, too.
struct far_victims {
  static detail::frame* look(search_round& r) noexcept {
    return r.by_policy ? r.note(r.all.scheduling().steal_far(r.w, r.all)) : nullptr;
  }
  static bool may_hold(const onlooker&) noexcept { return false; }
};

/// Outside of the process. The worker that looks there naps (run/sleep.cpp) where others sleep, and
/// a worker that sleeps behind the last look asks whether somebody does.
struct outside_process {
  static detail::frame* look(search_round& r) noexcept {
    return r.saw_work ? nullptr : r.all.outside_work().look(r.w);
  }
  static bool may_hold(const onlooker&) noexcept { return false; }
};

/// Sources one after the other; a source itself.
template <class... Source>
struct list {
  static detail::frame* look(search_round& r) noexcept {
    detail::frame* f = nullptr;
    static_cast<void>((((f = Source::look(r)) != nullptr) || ...));
    return f;
  }
  static bool may_hold(const onlooker& o) noexcept { return (Source::may_hold(o) || ...); }
};

/// Frames that the worker has queued or was sent: they come to it without a search.
using own = list<own_deque, own_ring, own_mail, waiting_for_permit>;

/// Frames that belong to others, or to nobody.
using others = list<custom_victims, near_victims, inbox, far_mail, far_victims, outside_process>;

using all = list<answer, returning, own, others>;

}  // namespace sources

}  // namespace kasuri::sched
