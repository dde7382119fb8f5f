// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parallel regions. See docs/design/openmp.md for where members run and why.

#include "omp/team/team.hpp"

namespace kasuri::omp {

/// The clauses of a parallel construct.
struct region_clauses {
  int threads = 0;       // num_threads; 0: none given
  bool parallel = true;  // the if clause
  proc_bind bind = proc_bind::unset;
  std::vector<int>* threads_list =
      nullptr;  // num_threads with more than one number; taken from there
};

/// Runs a whole region: the calling member is its primary. Returns when all members and all their
/// tasks have ended.
void run_region(const region_code& code, const region_clauses& clauses) noexcept;

/// The same in two halves: the other members run between them, and the caller is member 0.
/// `in_halves`: the program itself calls both, and the region's code between.
member& begin_region(const region_code& code, const region_clauses& clauses,
                     bool in_halves = true) noexcept;
void end_region() noexcept;

/// begin_region with one member, whatever else would be decided. For __kmpc_serialized_parallel and
/// the target and teams constructs.
member& begin_serial_region() noexcept;

/// How the members of a team start that runs code of another runtime.
enum class team_start {
  where_there_is_room,  // as those of any region
  together,             // they wait for each other in loops: each is offered to all workers at once
};

/// A region of n members, whatever the control variables and the regions around it say.
void run_team(const region_code& code, int n, team_start how) noexcept;

/// The number of members that a region would get (OpenMP 5.1, algorithm 2.1).
int members_of_region(const member& m, const region_clauses& clauses) noexcept;

}  // namespace kasuri::omp
