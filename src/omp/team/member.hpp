// SPDX-License-Identifier: Apache-2.0
#pragma once

// A member of a team: the executor of tasks. Thread number, the task it runs, the deque of the
// tasks it created, its place in the worksharing constructs of the region.
//
// A member is not a thread of the operating system. Where it runs is decided by region.hpp: on the
// OS thread of the initial thread or of worker i, or as a frame of the scheduler. Fields are the
// member's own unless they say otherwise.

#include <atomic>
#include <cstdint>
#include <string>

#include "context/identity.hpp"
#include "kasuri/detail/frame.hpp"
#include "omp/place/places.hpp"
#include "omp/task/task.hpp"
#include "omp/task/task_queue.hpp"
#include "omp/team/workshare.hpp"
#include "omp/tool/info.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::omp {

struct team;
struct root;
struct member;

/// A member as a frame of the scheduler: one that has not started, or is sent for (region.cpp).
struct member_frame : detail::frame {
  member* of = nullptr;
};

struct alignas(64) member {
  member_frame start;

  team* in = nullptr;
  int number = 0;           // omp_get_thread_num
  task* current = nullptr;  // the task it runs; &implicit outside explicit tasks
  task implicit;
  root* of = nullptr;     // the OS thread at which the nest of regions began
  team* inner = nullptr;  // teams it was the primary of, kept for reuse: most recent first
  place_partition places;
  context::identity* identity = nullptr;  // thread-locals of its own, or null (region.hpp)
  tool::member_info tool;
  std::string
      shown_affinity;  // OMP_DISPLAY_AFFINITY: of the last region it met (affinity_format.hpp)

  worksharing work;  // its place in the worksharing constructs of the region

  // Barriers it has arrived at, in this region and earlier ones of this team. Others read it.
  alignas(64) std::atomic<std::uint64_t> arrived{0};
  // End of region: the sequence number of the last region it has finished. The primary reads it.
  std::atomic<std::uint64_t> finished{0};

  // Deferred tasks. created: those it queued; executed: those that ended on it (or were finished by
  // omp_fulfill_event after they ran on it). Written by the member, read by the barrier
  // (barrier.hpp).
  alignas(64) std::atomic<std::uint64_t> tasks_created{0};
  std::atomic<std::uint64_t> tasks_executed{0};
  task_queue tasks;
  std::uint64_t created_before = 0;  // tasks_created at its last barrier
  std::uint64_t random = 1;

  // Whether a frame stands behind it now (helper.cpp): a thread that wants it as a helper after it
  // has finished the region takes it by exchange, and says so in `helps`.
  std::atomic<bool> engaged{false};
  bool helps = false;
  // The same for one that is docked: it is sent for and has not ended. On no line that a region
  // without tasks moves.
  std::atomic<bool> comes_back{false};
};

/// The calling thread's member; makes the thread the root of its own regions when it is none yet
/// (root.cpp). Again after every call that may suspend.
member& self() noexcept;

/// The member of the calling thread, or null when it has never called the runtime.
member* known_self() noexcept;

}  // namespace kasuri::omp
