// SPDX-License-Identifier: Apache-2.0
#pragma once

// A coroutine on its way to a mutex (task/mutex/mutex.cpp): its record stands in the list, and a
// wake runs it as a task. A condition variable's waiters come to the mutex by the same record.

#include "kasuri/sync.hpp"
#include "task/coroutine/record.hpp"

namespace kasuri::detail {

struct mutex_record : task::coroutine_record {
  mutex* of;
  bool woken_before;
};

}  // namespace kasuri::detail
