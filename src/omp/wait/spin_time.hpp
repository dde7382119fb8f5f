// SPDX-License-Identifier: Apache-2.0
#pragma once

// When a member that spins is to stop: because others want its worker, or because it has spun for
// long enough.

#include <cstdint>

#include "platform/base/clock.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::omp {

/// Whether the worker of the calling thread has anything else to run than the member that is on it.
/// `thorough` looks at the other workers too.
inline bool wanted_elsewhere(sched::worker& w, bool thorough) noexcept {
  return !w.queue.empty() || !w.ready.empty() || w.home->crowded(w) ||
         (thorough && w.home->work_offered());
}

/// How long a member has been spinning, and whether it should be suspended now: by the wait policy,
/// or sooner where other programs use the cores as well (shared_cores.hpp), unless it is to spin
/// for ever.
class spin_time {
 public:
  /// To be asked between any two rounds of looks: a gap is a sign that the core was taken.
  bool is_over() noexcept;
  void start_again() noexcept { since_ = last_ = platform::ticks(); }

 private:
  std::uint64_t since_ = platform::ticks();
  std::uint64_t last_ = since_;
};

}  // namespace kasuri::omp
