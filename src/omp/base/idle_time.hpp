// SPDX-License-Identifier: Apache-2.0
#pragma once

// For how long a member has looked for tasks on its node and found none, in ticks of
// platform::ticks(). Only time in which it did look counts: a longer time between two looks than
// one takes is one in which its thread did not run, as under an operating system or hypervisor with
// more threads than CPUs, and the members that it leaves tasks to have then likely not run either.
// So each look adds at least a bit and at most `longest_look`. The member's own.

#include <algorithm>
#include <cstdint>

#include "platform/base/expect.hpp"

namespace kasuri::omp {

class idle_time {
 public:
  /// It has found something, or begins to wait.
  void end() noexcept { last_look_ = 0; }

  /// It looks at time `now`, which is not 0, and has found nothing. For how long it has been so.
  std::uint64_t look(std::uint64_t now, std::uint64_t longest_look) noexcept {
    KASURI_EXPECT(cheap, now != 0 && longest_look != 0, "now %lu, longest look %lu", now,
                  longest_look);
    if (last_look_ == 0)
      so_far_ = 0;
    else  // another core's clock may be a step behind
      so_far_ +=
          std::clamp<std::uint64_t>(now > last_look_ ? now - last_look_ : 0, 1, longest_look);
    last_look_ = now;
    return so_far_;
  }

 private:
  std::uint64_t so_far_ = 0;
  std::uint64_t last_look_ = 0;  // 0: it is not idle
};

}  // namespace kasuri::omp
