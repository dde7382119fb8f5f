// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a member waits, for everything it may wait for: until a condition holds that others make
// true.
//
// It first spins, as long as the wait policy says (OMP_WAIT_POLICY, GOMP_SPINCOUNT, KMP_BLOCKTIME)
// and its worker has nothing else to run, and runs tasks of its team meanwhile where the wait
// allows that. Then its thread is suspended in the parking lot (parking.hpp) under a key, an
// address that stands for the condition. Whoever makes the condition true calls notify(key)
// afterwards.
//
// No lost wake-up: the waiter enters the lot, passes a full fence and looks at the condition again;
// the notifier makes the condition true and calls notify, which has its own half of the protocol in
// it (sched/kernel/parking_lot.hpp).

#include "omp/team/member.hpp"
#include "platform/base/clock.hpp"
#include "record/wait_reason.hpp"
#include "sched/kernel/parking_lot.hpp"

namespace kasuri::omp {

/// Which tasks a member may run while it waits.
enum class may_run {
  nothing,      // locks, ordered, copyprivate
  descendants,  // taskwait, taskgroup, taskyield: the task scheduling constraint
  anything,     // barriers
};

/// What it waits for where the caller does not say.
constexpr record::wait_reason usual_reason(may_run what) noexcept {
  return what == may_run::anything      ? record::wait_reason::openmp_barrier
         : what == may_run::descendants ? record::wait_reason::openmp_tasks
                                        : record::wait_reason::openmp_construct;
}

using condition = bool (*)(const void* arg) noexcept;

/// Returns when ready(arg) is true, with acquire semantics left to `ready`. May return on another
/// OS thread, with the same member. `key`: see above. `why`: for those who look on.
void wait_until(member& m, const void* key, condition ready, const void* arg, may_run what,
                record::wait_reason why) noexcept;

/// The same for any callable without arguments.
template <class Ready>
void wait_until(member& m, const void* key, const Ready& ready, may_run what,
                record::wait_reason why) noexcept {
  if (ready()) return;
  wait_until(
      m, key, [](const void* r) noexcept { return (*static_cast<const Ready*>(r))(); }, &ready,
      what, why);
}
template <class Ready>
void wait_until(member& m, const void* key, const Ready& ready, may_run what) noexcept {
  wait_until(m, key, ready, what, usual_reason(what));
}

/// The condition of `key` may hold now: lets its waiters look. Contains a full fence.
void notify(const void* key) noexcept;

/// The same behind a change of the condition that was made by sched::in_order: without a fence.
void notify(const void* key, sched::ordered changed) noexcept;

/// m has tasks that others may take: wakes one that waits for a barrier of the team, or for the end
/// of what m's current task descends from; or sends for a member that has finished the region, as a
/// helper. True: it has, and there may be more. For the slow path of a push.
bool notify_tasks(member& m) noexcept;

/// Whether the worker of the calling thread has anything else to run than the member that is on it.
/// `thorough` looks at the other workers too.
bool wanted_elsewhere(sched::worker& w, bool thorough) noexcept;

/// How long a member has been spinning, and whether it should be suspended now: by the wait policy,
/// or sooner where other programs use the cores as well (shared_cores.hpp), unless it is to spin
/// for ever.
class spin_time {
 public:
  /// To be asked between any two rounds of looks: a gap is a sign that the core was taken.
  bool is_over() noexcept;
  void start_again() noexcept { since_ = last_ = platform::ticks(); }

 private:
  std::uint64_t since_ = platform::ticks();
  std::uint64_t last_ = since_;
};

}  // namespace kasuri::omp
