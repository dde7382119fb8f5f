// SPDX-License-Identifier: Apache-2.0
#pragma once

// The same graph run by Kasuri itself, with tasks that keep a core busy. Each run is in a
// child process, since a pool's policy is chosen when it starts.

#include <string>

#include "simulate/cost_model.hpp"
#include "simulate/graph.hpp"

namespace kasuri::simulate {

struct real_result {
  double time = 0;         // ns, all sweeps, the fastest of the repetitions
  double same_worker = 0;  // share of blocks that met the worker of the sweep before
  double routed = 0;       // forks over several workers, of one repetition
};

/// The fastest of `repetitions` and of as many more as `least_time` ns allow: other programs run
/// on the machine, too.
/// @param policy  a value of KASURI_SCHED
/// @throw std::runtime_error when the child fails
real_result run_really(const graph& g, const std::string& policy, int workers, int sweeps,
                       int repetitions, double least_time);

/// `costs` with the forks, hand-overs and wake-ups of this machine measured in it.
/// @throw std::runtime_error when the child fails
cost_model calibrated(cost_model costs);

}  // namespace kasuri::simulate
