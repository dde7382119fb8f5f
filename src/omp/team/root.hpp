// SPDX-License-Identifier: Apache-2.0
#pragma once

// A root: an OS thread that meets OpenMP constructs of its own accord. It has an implicit task
// outside all regions, and is a guest of the pool while it is in one: the regions of all roots
// share the cores.
//
// Tasks of fork-join code meet constructs too, and an OS thread runs many of them: one that waits
// in its region leaves the thread to the next. So a region holds its root, whose teams and
// thread-locals it uses, from its beginning to its end, wherever its primary goes on; root_hold.hpp
// has the states.
//   outside  A task outside all regions has the root that its OS thread has chosen. That is the
//            thread's own, or, while a region holds that, a spare one. As long as the task is not
//            suspended it has the same one: num_threads is told before the region begins.
//   inside   The task has its member as the client of its worker, which goes with the task where it
//            is suspended. So nobody looks for its root, on whatever thread it is.
//   the end  The region gives the root back to the thread that it is of, or frees it when that
//            thread has ended.
// A thread that is no worker any more and finds its own root held gets a new one in its place.
// A spare root begins with the control variables of the thread's own. It has no docks, and no
// thread-locals that are kept from region to region: as many regions may be under way as there are
// tasks.

#include <vector>

#include "kasuri/detail/atomics.hpp"
#include "omp/base/root_hold.hpp"
#include "omp/team/dock.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {
class pool;
}

namespace kasuri::omp {

struct root {
  member initial;  // of the team of one outside all regions
  team* outside = nullptr;
  sched::pool* pool = nullptr;     // of which `guest` is a worker
  sched::worker* guest = nullptr;  // kept for the next region
  bool inside = false;             // as that worker
  // In the child of a fork: the region goes on in what is left of the parent's pool.
  bool left_in_region = false;
  // The member that the thread is while it is no worker: `initial`, or that of a region of one
  // (region.cpp).
  member* now = &initial;
  // By a region whose primary is on a worker; read before `now`.
  root_hold<detail::real_atomics> hold;
  int bound_to = -1;         // where the thread is bound while it is no worker (places.hpp)
  docks* workers = nullptr;  // of the one root that has them (dock.hpp), else null
  // Thread-locals of members that are frames of its outermost teams, by number: they keep their
  // values from region to region.
  std::vector<context::identity*> identities;
  bool is_spare = false;
  root* next_spare = nullptr;  // of the same OS thread
  // Of an OS thread's own root: the root of the task that it runs outside all regions, and when it
  // was chosen.
  struct choice {
    const sched::worker* on = nullptr;
    std::uint64_t turn = 0;
    bool operator==(const choice&) const = default;
  };
  root* chosen = this;
  choice chosen_at;
  root* next_retired = nullptr;  // the OS thread has ended (docks::retire)
  std::uint64_t as_owner = 0;
  std::atomic<int> busy{1};  // members of its regions, kept where there is a thread limit

  /// An outermost team of that size is to start.
  void make_room_for(int size) {
    KASURI_EXPECT(cheap, size > 0, "a team of %d", size);
    const auto n = static_cast<std::size_t>(size);
    if (identities.size() >= n) return;
    identities.resize(n, nullptr);
  }
};

/// With all its teams. Nobody runs in them or looks at them.
void free_root(root& r) noexcept;

/// Whether the team's members that are frames keep their thread-locals from region to region.
inline bool keeps_identities(const team& t) noexcept {
  return t.nest.level == 1 && !t.members[0]->of->is_spare;
}

/// What comes before this library's first use of the pool, whichever of its faces is used: OpenMP's
/// environment, and the size of stacks that its members have.
void prepare_process() noexcept;

/// The calling OS thread's root; made at the first call.
root& this_root() noexcept;

/// ... or null.
root* known_root() noexcept;

/// Whether there are more roots that have opened regions than cores for them.
bool crowd_of_roots() noexcept;
/// Whether there is more than one.
bool several_roots() noexcept;

/// The region that holds the root ends, on any OS thread, where the primary is a task. Nobody of
/// the region looks at its root and teams any more.
void give_root_back(root& r) noexcept;

/// Makes the calling root's thread a worker of the pool. False: it is one already, by fork-join
/// code that is below the caller. `may_bring_token`: it does not wait where no token is free.
bool enter_pool(root& r, bool may_bring_token);
/// ... no more. `docked`: workers of its docks that wait there.
void leave_pool(root& r, int docked) noexcept;

/// The calling thread is no worker and makes a task: if it is in a region, it becomes a worker
/// until its end.
void expect_tasks_of_one() noexcept;

/// Ends the pool's threads and the donors of thread-locals, so that the next region's members have
/// initial values, but for the initial thread. The caller is outside all regions. False, and
/// nothing ends: other threads may be inside.
bool end_threads(root& r) noexcept;

}  // namespace kasuri::omp
