// SPDX-License-Identifier: Apache-2.0
#pragma once

// A root: an OS thread that meets OpenMP constructs of its own accord. It has an implicit task
// outside all regions, and is a guest of the pool while it is in one: the regions of all roots
// share the cores.

#include <vector>

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
  bool left_in_region =
      false;  // in the child of a fork: the region goes on in what is left of the parent's pool
  // The member that the thread is while it is no worker: `initial`, or that of a region of one
  // (region.cpp).
  member* now = &initial;
  int bound_to = -1;         // where the thread is bound while it is no worker (places.hpp)
  docks* workers = nullptr;  // of the one root that has them (dock.hpp), else null
  // Thread-locals of members that are frames of its outermost teams, by number: they keep their
  // values from region to region.
  std::vector<context::identity*> identities;
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

/// The calling OS thread's root; made at the first call.
root& this_root() noexcept;

/// ... or null.
root* known_root() noexcept;

/// Whether there are more roots that have opened regions than cores for them.
bool crowd_of_roots() noexcept;
/// Whether there is more than one.
bool several_roots() noexcept;

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
