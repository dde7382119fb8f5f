// SPDX-License-Identifier: Apache-2.0
// Starts a program as the ranks of a job on this host.
#pragma once

#include <string>
#include <vector>

namespace kasuri::command {

inline constexpr int max_cluster_ranks = 1024;

/// Whether the cluster layer was built.
extern const bool has_cluster;

/// Runs words[0] with the others as its arguments `ranks` times, as one job, and waits until all
/// have ended. Rank 0 has this command's standard input, the others none; signals are passed on.
/// The status is the first one that is not 0, or 128 and the number of the signal that killed a
/// rank: then, and when a rank ends before the job does, the others are ended too. `who`: the
/// command that messages name.
int run_cluster(const std::vector<std::string>& words, int ranks, const char* who);

}  // namespace kasuri::command
