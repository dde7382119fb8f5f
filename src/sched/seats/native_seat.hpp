// SPDX-License-Identifier: Apache-2.0
#pragma once

// The OS thread's own stack, and where the thread is bound. The owner's.

#include "context/context.hpp"
#include "context/stack.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::sched {

struct native_seat {
  context::stack native_stack;
  platform::stack_bounds native_bounds;     // known only under a sanitizer
  context::saved native_context = nullptr;  // of a pool thread, to end on
  bool is_home = false;  // of a stack that has to come back: a guest's own, that of a dock
  int bound_to = -1;     // where the front end bound its OS thread, in its own terms
};

}  // namespace kasuri::sched
