// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work from outside of the process: what an idle worker may look at before it sleeps. One worker at
// a time does, the others sleep as ever. Without anybody outside (the default) nothing of it
// happens.

#include <cstdint>

#include "kasuri/detail/frame.hpp"

namespace kasuri::sched {

class outside {
 public:
  outside() = default;
  outside(const outside&) = delete;
  outside& operator=(const outside&) = delete;

  /// Whether there may be any work now.
  virtual bool active() const noexcept = 0;

  /// A task to run, or null. May make suspended threads ready.
  virtual detail::frame* look() noexcept = 0;

  /// A short look between looks, which may make suspended threads ready. True: somebody has called,
  /// so that the next look should not wait.
  virtual bool glance() noexcept = 0;

  /// The worker that looked goes on with a task, from wherever.
  virtual void leave() noexcept = 0;

  /// After a look that found nothing: the nanoseconds to nap before the next; 0: look again at
  /// once.
  virtual std::uint64_t rest() noexcept = 0;

  /// Sleeps until somebody outside calls, interrupt() is called, or the time is over; at once if
  /// either was called since the last nap.
  virtual void nap(std::uint64_t ns) noexcept = 0;
  virtual void interrupt() noexcept = 0;

 protected:
  ~outside() = default;
};

}  // namespace kasuri::sched
