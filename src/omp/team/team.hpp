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
#include "omp/team/frame_members.hpp"
#include "omp/team/member.hpp"
#include "omp/team/region_estimate.hpp"
#include "omp/team/team_barriers.hpp"
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

// ---- seats of a team that its primary writes before the region starts ---------------------------

/// Regions around this one, itself counted.
struct nest_levels {
  int level = 0;
  int target = 0;  // level of the innermost target region around it, which counts for nothing
  int active = 0;  // regions of several members, within that target region
};

/// Members of the contention group, kept where there is a thread limit: the root's, or those of a
/// target region.
struct contention_group {
  std::atomic<int>* busy = nullptr;
  std::atomic<int> in_target{1};
};

/// The implicit tasks inherit the control variables.
struct inherited_values {
  icvs values;
  std::vector<int> threads_list;  // that of the num_threads clause, where `values` refer to it
};

struct region_affinity {
  proc_bind bind = proc_bind::off;
  bool displayed = false;  // OMP_DISPLAY_AFFINITY: the members show themselves
};

/// The OS thread or task that met the construct, as it was before the region.
struct primary_thread {
  bool entered = false;     // it became a worker for this region, and is one no more behind it
  bool holds_root = false;  // the region holds the root (root.hpp)
  void* client_before = nullptr;  // that of its worker, if it was one
};

/// Leagues (teams construct): the values of omp_get_team_num, omp_get_num_teams.
struct league_place {
  int number = 0;
  int size = 1;
};

// -------------------------------------------------------------------------------------------------

struct team {
  // ---- fixed while the team exists ------------------------------------------------------------
  // [0, size); members[0] is not the primary's outer member but its inner one.
  member** members = nullptr;
  int size = 0;
  // All members are meant to have an OS thread of their own; set before they start.
  bool on_threads = false;

  // ---- of the region; written by the primary before it starts -----------------------------------
  region_code code;
  member* parent = nullptr;  // the member that met the construct
  nest_levels nest;
  contention_group contention;
  inherited_values inherited;
  region_affinity affinity;
  tool::region_info tool;
  primary_thread primary;
  league_place league;

  team* next = nullptr;   // in the primary's list of kept teams
  team* outer = nullptr;  // the primary's team

  // ---- shared by the members ------------------------------------------------------------------
  alignas(64) std::atomic<std::uint64_t> region{0};  // sequence number of the region
  std::atomic<bool> has_tasks{false};                // some member queued a task in this region
  // Where there are several nodes: tasks for each of them; null elsewhere. Fixed while the team
  // exists.
  std::unique_ptr<task_mail> mail;
  team_tasks tasks;                         // tasks that are in no member's deque
  std::atomic<std::uint32_t> cancelled{0};  // bits of cancel_kind (cancel.hpp)
  team_barriers barriers;
  frame_members frames;
  region_timing timing;  // the primary's
  workshares shares;     // loops, sections, single, copyprivate, ordered (workshare.hpp)

  /// Members 1 to docked() run on docked workers (dock.hpp) in this region. The first of them run
  /// while the primary still counts how many there are: to them a member that they take for a frame
  /// is engaged, and so never sent for.
  [[nodiscard]] int docked() const noexcept { return docked_.load(std::memory_order_relaxed); }
  void set_docked(int n) noexcept { docked_.store(n, std::memory_order_relaxed); }

 private:
  std::atomic<int> docked_{0};
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
