// SPDX-License-Identifier: Apache-2.0
#pragma once

// The affinity display (OpenMP 5.1, section 6.14): "%n" and "%{thread_num}" become the thread number.

#include <string>
#include <string_view>

namespace kasuri::omp {

/// What a format may name.
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

/// Of the calling thread.
affinity_facts current_affinity_facts();

/// affinity-format-var.
std::string affinity_format();
void set_affinity_format(std::string_view format);

/// The text of the calling thread; an empty format stands for affinity-format-var.
std::string captured_affinity(std::string_view format);

/// The same as a line on stderr.
void display_affinity(std::string_view format);

/// For OMP_DISPLAY_AFFINITY: a member that starts a region calls it. Displays when it has not done so
/// with the facts as they are now. `shown` is the member's, empty at first.
void display_changed_affinity(std::string& shown);

}  // namespace kasuri::omp
