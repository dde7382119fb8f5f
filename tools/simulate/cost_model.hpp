// SPDX-License-Identifier: Apache-2.0
#pragma once

// The costs of the simulated machine, in ns. Defaults are the machine that
// docs/design/core.md measured; options and --calibrate replace them.

#include <array>

namespace kasuri::simulate {

/// How far a victim is: it shares the last cache, the NUMA node, or less; or is of another rank.
enum distance { shares_cache, shares_node, elsewhere, other_rank, distances };

struct cost_model {
  double spawn = 4;     ///< a fork and its join when nobody took the second side
  double route = 150;   ///< a fork that is sent to a mailbox, beyond that
  double resume = 100;  ///< a thread that waited for a join goes on
  std::array<double, distances> probe = {50, 100, 200,
                                         2'000};  ///< a look at a victim that has nothing
  std::array<double, distances> steal = {450, 500, 900,
                                         10'000};  ///< from the look to the task's start
  double letter = 300;                             ///< from the mailbox to the start
  double wake = 50'000;                            ///< a sleeper's way to its first look
  double spin = 30'000;      ///< an idle worker looks for so long, then sleeps
  double patience = 20'000;  ///< letters to others are left alone for so long
  double kept = 0;           ///< a block that the worker touched last
  double local = 0;          ///< a block on its node
  double remote = 0;         ///< a block on another node
  bool has_ranks = false;    ///< packages are ranks of a cluster
};

}  // namespace kasuri::simulate
