// SPDX-License-Identifier: Apache-2.0
#pragma once

// A team: the members of one parallel region. Kept by its primary and used again for the next
// region of the same size, so that a region allocates nothing in the steady state.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "omp/base/icv.hpp"
#include "omp/task/task_mail.hpp"
#include "omp/task/team_tasks.hpp"
#include "omp/team/member.hpp"
#include "omp/team/region_estimate.hpp"
#include "omp/team/workshare.hpp"

namespace kasuri::omp {

/// The code of a region: the outlined function and how to call it.
struct region_code {
  /// Calls the outlined function for this member.
  void (*call)(const region_code&, member&) = nullptr;
  void (*function)() = nullptr;  // the outlined function, whatever its type; also for tools
  void* data = nullptr;          // GCC: its argument; Clang: an array of `count` pointers
  int count = 0;
};

struct team {
  // ---- fixed while the team exists ------------------------------------------------------------
  member** members =
      nullptr;  // [0, size); members[0] is not the primary's outer member but its inner one
  int size = 0;
  int docked = 0;  // members 1 to docked run on docked workers (dock.hpp) in this region
  bool on_threads =
      false;  // all members are meant to have an OS thread of their own; set before they start

  // ---- of the region; written by the primary before it starts -----------------------------------
  region_code code;
  member* parent = nullptr;  // the member that met the construct
  int level = 0;             // regions around it, this one counted
  // Members of its contention group, kept where there is a thread limit: the root's, or those of a
  // target region.
  std::atomic<int>* busy = nullptr;
  std::atomic<int> busy_in_target{1};
  int target_level = 0;  // level of the innermost target region around it, which counts for nothing
  int active_level = 0;
  icvs values;                    // what the implicit tasks inherit
  std::vector<int> threads_list;  // that of the num_threads clause, where values refer to it
  proc_bind bind = proc_bind::off;
  tool::region_info tool;
  bool displays_affinity = false;  // OMP_DISPLAY_AFFINITY: the members show themselves
  bool entered =
      false;  // the primary's thread became a worker for this region, and is one no more behind it
  void* client_before = nullptr;  // that of the primary's worker, if it was one

  // Leagues (teams construct): the values of omp_get_team_num, omp_get_num_teams.
  int league_number = 0;
  int league_size = 1;

  team* next = nullptr;   // in the primary's list of kept teams
  team* outer = nullptr;  // the primary's team

  // ---- shared by the members ------------------------------------------------------------------
  alignas(64) std::atomic<std::uint64_t> region{0};  // sequence number of the region
  std::atomic<bool> has_tasks{false};                // some member queued a task in this region
  // Where there are several nodes: tasks for each of them; null elsewhere. Fixed while the team
  // exists.
  std::unique_ptr<task_mail> mail;
  team_tasks tasks;                         // those that are in no member's deque
  std::atomic<std::uint32_t> cancelled{0};  // bits of cancel_kind (cancel.hpp)
  // Barriers: arrivals of the present one, and how many have ended (barrier.hpp).
  alignas(64) std::atomic<std::uint64_t> arrivals{0};
  alignas(64) std::atomic<std::uint64_t> barriers{0};
  std::atomic<std::uint64_t> draining{0};  // the barrier at which all wait for tasks

  // Of the members that are frames (region.cpp): how many there are in this region; how many ended
  // on the primary's stack, and elsewhere; and the helpers sent for that have not ended.
  std::uint32_t frames = 0;  // the primary's
  bool has_identities =
      false;  // they had thread-locals of their own before they started; the primary's
  std::uint32_t ended_here = 0;  // the primary's
  alignas(64) std::atomic<std::uint32_t> ended_elsewhere{0};
  std::atomic<std::uint32_t> helpers{0};

  // Of regions with frames (region_estimate.hpp); the primary's.
  region_estimates estimates;
  std::uint64_t began = 0;  // ticks; 0: nobody asks how long the region takes
  sched::offer offered_before = sched::offer::everybody;  // by the worker where it began

  workshares shares;  // loops, sections, single, copyprivate, ordered (workshare.hpp)
};

/// A team of that size of the root's; its members know it and their numbers. `kind`: that of their
/// frames.
team* make_team(root& r, int size, const detail::frame_type& kind);

/// The team of one outside all regions: its member is the root's `initial`.
team* make_outside_team(root& r);

/// With the teams that its members keep. Nobody runs in it.
void free_team(team* t) noexcept;

/// For tasks_left: some member queued a task in the region.
bool more_created_than_ended(const team& t) noexcept;

/// Whether some task of the team may be left: exact once all members wait in the same barrier or
/// have finished the region.
inline bool tasks_left(const team& t) noexcept {
  return t.has_tasks.load(std::memory_order_relaxed) && more_created_than_ended(t);
}

}  // namespace kasuri::omp
