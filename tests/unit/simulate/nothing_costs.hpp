// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulate/cost_model.hpp"

namespace kasuri::simulate {

/// Scheduling takes no time: what remains is the graph's.
inline cost_model nothing_costs() {
  cost_model c;
  c.spawn = c.route = c.resume = c.letter = c.wake = 0;
  c.probe = c.steal = {0, 0, 0};
  return c;
}

}  // namespace kasuri::simulate
