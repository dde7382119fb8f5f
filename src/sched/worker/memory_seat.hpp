// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stacks and blocks of memory that the worker keeps for its next tasks. The owner alone uses them.

#include "context/stack.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::sched {

struct memory_seat {
  context::stack_cache stacks;
  block_cache blocks;
};

}  // namespace kasuri::sched
