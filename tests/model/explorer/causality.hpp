// SPDX-License-Identifier: Apache-2.0
// The causal past of events: the transitive closure of program order and of the executed order of
// dependent operations. Two schedules with the same causal order are the same execution, so the
// search needs only one of them.
#pragma once

#include <array>
#include <cstdint>

#include "clock.hpp"
#include "operation.hpp"

namespace kasuri::model {

class causality {
 public:
  void reset();

  /// Everything before the next event of the process; a sequential one comes behind all others.
  clock past(int process, bool sequential) const {
    clock result = past_[process];
    if (sequential) result.join(sequential_past_);
    return result;
  }

  /// For each process the index of its last event that is dependent with this operation and not in
  /// its past, 0 if none: the two could have happened the other way round.
  std::array<tick, max_processes> races(int process, const operation& op) const;

  /// Records the operation as the next event of the process and returns its clock.
  clock record(int process, const operation& op);

  /// The last event of `cause` is what lets `process` go on.
  void enable(int process, int cause) { past_[process].join(past_[cause]); }

 private:
  using indices = std::array<tick, max_processes>;

  struct location_past {
    clock of_writes;
    clock of_reads;
    indices last_write{};
    indices last_access{};
  };
  struct fence_past {  // light fences of one thread and the barriers that arrive at it
    clock past;
    tick last = 0;
  };

  std::array<clock, max_processes> past_;
  std::array<location_past, max_locations> locations_;
  location_set touched_ = 0;
  clock sequential_past_;
  indices last_sequential_{};
  std::array<fence_past, max_threads> light_;
  std::array<fence_past, max_threads> barrier_;
};

}  // namespace kasuri::model
