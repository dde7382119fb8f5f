// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cluster/memory/counters.hpp"
#include "cluster/memory/options.hpp"
#include "cluster/memory/programs/script.hpp"

namespace kasuri::test::global_programs {

struct outcome {
  std::string complaint;  // empty: every read found what it must
  cluster::memory_counts counts;  // of rank 0
};

/// Plays the script on a simulated network whose delays, like the sizes of cache, log and notices,
/// are drawn from its seed. Only tasks that change the rank carry tokens.
outcome play(const script& s, cluster::planted_fault fault);

}  // namespace kasuri::test::global_programs
