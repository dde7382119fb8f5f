// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cluster/memory/base/counters.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/programs/script.hpp"

namespace kasuri::test::global_programs {

struct outcome {
  std::string complaint;          // empty: every read found what it must
  cluster::memory_counts counts;  // of rank 0
};

/// Whether the checks are on; drawn: as the seed says.
enum class checks : bool { drawn, on };

/// Plays the script on a simulated network whose delays, like the sizes of cache, log and notices,
/// are drawn from its seed. Only tasks that change the rank carry tokens. A race that the checks
/// find is a complaint, and the end of the play.
outcome play(const script& s, cluster::planted_fault fault, checks look = checks::drawn);

}  // namespace kasuri::test::global_programs
