// SPDX-License-Identifier: Apache-2.0
#pragma once

// Almost deterministic work stealing keeps this of a worker, and worker::fork_depth, which thieves
// read: worker/range.hpp, policy/adws.cpp.

#include <cstdint>

#include "sched/rules/extent.hpp"

namespace kasuri::sched {

struct adws_seat {
  extent* next_range = nullptr;  // of the frame that was just found
  span_fork* fork = nullptr;     // the innermost that it takes part in, or took part in last
  std::uint64_t steal_delay = ~std::uint64_t{0};  // ticks: see policy/adws.cpp
  shares next_shares;                             // of the fork about to be pushed
  extent root;                                    // of a guest
};

}  // namespace kasuri::sched
