// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long workers were in the code of each runtime, while a profile is recorded (its key
// `runtimes`): by the wall, with all that this code called, and waits in it.

#include <cstdint>

#include "platform/base/clock.hpp"
#include "profile/base/active.hpp"
#include "profile/base/sum.hpp"

namespace kasuri::runtimes {

/// The sums of one runtime. Lives as long as the process.
class time_inside {
 public:
  constexpr explicit time_inside(const char* name) noexcept : name_(name) {}
  time_inside(const time_inside&) = delete;
  time_inside& operator=(const time_inside&) = delete;

  /// A worker was inside for so long. Any thread.
  void add(std::uint64_t ticks) noexcept {
    times_.add(1);
    ticks_.add(ticks);
  }

  /// It belongs to the profile from now on. By a constructor of the library.
  void enter() noexcept;

 private:
  friend class sums_of_runtimes;

  const char* const name_;
  profile::sum times_;
  profile::sum ticks_;
  time_inside* next_ = nullptr;
};

/// While this exists, the calling thread is inside; possibly it ends on another OS thread.
class stay {
 public:
  explicit stay(time_inside& in) noexcept
      : in_(in), since_(profile::active() ? platform::ticks() : 0) {}
  stay(const stay&) = delete;
  stay& operator=(const stay&) = delete;
  ~stay() {
    if (since_ != 0) [[unlikely]]
      in_.add(platform::ticks() - since_);
  }

 private:
  time_inside& in_;
  const std::uint64_t since_;  // 0: no profile was recorded
};

}  // namespace kasuri::runtimes
