// SPDX-License-Identifier: Apache-2.0
#pragma once

// What looks on while tasks run: set when the worker is made (roster/roster.cpp).

#include "record/worker_log.hpp"

namespace kasuri::sched {

class fork_recorder;

struct watch_seat {
  bool observed = false;              // any of the others
  bool timing = false;                // keep worker::stats.time
  record::worker_log* log = nullptr;  // null: events are not recorded
  fork_recorder* forks = nullptr;     // null: its forks are not measured (sched/measure)
};

}  // namespace kasuri::sched
