// SPDX-License-Identifier: Apache-2.0
#pragma once

// State of the worker that belongs to the task that runs on it, and travels with the task:
// worker/state_of_task.hpp.

#include "context/identity.hpp"
#include "sched/rules/extent.hpp"

namespace kasuri::sched {

struct measured;

/// The C++ ABI keeps this per thread: the exceptions being handled and the number in flight.
struct exception_state {
  void* caught;
  unsigned int uncaught;
};

struct task_seat {
  // The C++ runtime's exception state and errno of the OS thread, or of the identity that the task
  // wears.
  exception_state* exceptions = nullptr;
  int* error = nullptr;
  /// The front end's own record of the task.
  void* client = nullptr;
  /// The task's part of the line of workers, if that is more than this one: rules/extent.hpp.
  extent* range = nullptr;
  /// The thread-locals that the task wears instead of the OS thread's.
  context::identity* wears = nullptr;
  /// What is measured of it; null: nothing (sched/measure).
  measured* measures = nullptr;
};

}  // namespace kasuri::sched
