// SPDX-License-Identifier: Apache-2.0
// The profiles of a run: of one process, or of the ranks of a job.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "report/profile.hpp"

namespace kasuri::report {

struct job {
  profile main;                     // whose findings are told
  std::filesystem::path file;       // it was read from
  std::vector<profile> ranks = {};  // all there are, in order; empty: no job of several
  std::vector<std::filesystem::path> files = {};  // of the ranks, in the same order
  std::size_t main_rank = 0;                      // the place of `main` in them
};

/// Of the processes that wrote a profile the one whose workers worked most: a shell or launcher may
/// have started the program. Where that is a rank of a job: of its ranks the one that waits most
/// for the others. Nothing: no file has a whole profile.
std::optional<job> read_job(const std::vector<std::filesystem::path>& files);

}  // namespace kasuri::report
