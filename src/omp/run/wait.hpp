// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a member waits, for everything it may wait for: until a condition holds that others make
// true (wait/notify.hpp).
//
// It first spins, as long as the wait policy says (OMP_WAIT_POLICY, GOMP_SPINCOUNT, KMP_BLOCKTIME)
// and its worker has nothing else to run, and runs tasks of its team meanwhile where the wait
// allows that. Then its thread is suspended in the parking lot (wait/parking.hpp) under a key, an
// address that stands for the condition.

#include "omp/team/member.hpp"
#include "omp/wait/notify.hpp"
#include "omp/wait/parking.hpp"
#include "record/wait_reason.hpp"

namespace kasuri::omp {

/// The tasks that a member may run while it waits.
enum class may_run {
  nothing,      // locks, ordered, copyprivate
  descendants,  // taskwait, taskgroup, taskyield: the task scheduling constraint
  anything,     // barriers
};

/// The reason of the wait where the caller does not say.
constexpr record::wait_reason usual_reason(may_run what) noexcept {
  return what == may_run::anything      ? record::wait_reason::openmp_barrier
         : what == may_run::descendants ? record::wait_reason::openmp_tasks
                                        : record::wait_reason::openmp_construct;
}

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

/// m has tasks that others may take: wakes one that waits for a barrier of the team, or for the end
/// of what m's current task descends from; or sends for a member that has finished the region, as a
/// helper. True: it has, and there may be more. For the slow path of a push.
bool notify_tasks(member& m) noexcept;

}  // namespace kasuri::omp
