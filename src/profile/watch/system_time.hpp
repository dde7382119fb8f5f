// SPDX-License-Identifier: Apache-2.0
// Processor time that this process did not use: of other programs, and what the machine below a
// virtual one kept for itself.
#pragma once

namespace kasuri::profile {

/// Seconds since the machine started, summed over its processors.
struct system_time {
  double busy = 0;    // all programs
  double stolen = 0;  // by the machine below
  double own = 0;     // this process
};

/// As the system counts now; zeros where it does not say.
system_time system_time_now();

}  // namespace kasuri::profile
