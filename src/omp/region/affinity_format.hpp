// SPDX-License-Identifier: Apache-2.0
#pragma once

// The affinity display (OpenMP 5.1, section 6.14): "%n" and "%{thread_num}" become the thread
// number.

#include <string>
#include <string_view>

namespace kasuri::omp {

/// The facts that a format may name.
struct affinity_facts {
  int team_num = 0;
  int num_teams = 1;
  int nesting_level = 0;
  int thread_num = 0;
  int num_threads = 1;
  int ancestor_tnum = -1;
  std::string host;
  int process_id = 0;
  int native_thread_id = 0;
  std::string thread_affinity;
};

std::string format_affinity(std::string_view format, const affinity_facts& facts);

struct member;
struct team;

/// Of a member that the calling thread runs.
affinity_facts affinity_facts_of(const member& m);

/// affinity-format-var.
std::string affinity_format();
void set_affinity_format(std::string_view format);

/// The text of the calling thread; an empty format stands for affinity-format-var.
std::string captured_affinity(std::string_view format);

/// The same as a line on stdout, where libomp has it.
void display_affinity(std::string_view format);

/// For OMP_DISPLAY_AFFINITY: whether the members of the region that m has met, all set up, are to
/// show themselves: when what a format may name has changed since the last region that m met.
bool affinity_display_due(member& m, const team& t);
void display_affinity_of(const member& m);

}  // namespace kasuri::omp
