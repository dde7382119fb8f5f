// SPDX-License-Identifier: Apache-2.0
// What profiles and times are made with: clock, signals, /proc, hardware counters.
#pragma once

#include <string>

#include "doctor/finding.hpp"

namespace kasuri::doctor {

struct measuring_seen {
  std::string clock_source = {};  // the kernel's; empty: it does not say
  bool steady_ticks = true;       // the CPU counts at one rate, also asleep
  bool reads_calls = true;        // /proc/self/task/*/syscall
  bool reads_stacks = true;       // process_vm_readv of this process
  bool signal_is_free = true;
  bool has_timers = true;     // of the processor time of a thread
  int counter_error = 0;      // of perf_event_open for cycles
  std::string paranoid = {};  // kernel.perf_event_paranoid; empty: not said
};

findings judge(const measuring_seen& seen);

/// Tries each; harmless. `root` stands before paths in /proc and /sys.
measuring_seen look_at_measuring(const std::string& root = "");

}  // namespace kasuri::doctor
