// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is measured of a task travels with it. sched/measure measures.

namespace kasuri::sched {

struct measured;
struct worker;

struct measured_state {
  measured* code = nullptr;
  bool ran = false;  // its time was counted
};

/// The task of `w`, of which something is measured, leaves it.
measured_state leave_measured(worker& w) noexcept;
/// It goes on on `w`.
void enter_measured(worker& w, measured_state s) noexcept;

}  // namespace kasuri::sched
