// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "platform/base/clock.hpp"
#include "record/counter.hpp"

namespace kasuri::sched {

/// While a profile is recorded: how long the worker was on its way after calls that woke it, and
/// how long it took to call others. Ticks.
class wake_seat {
 public:
  record::counter late;     // from the call to the first step behind the sleep
  record::counter calling;  // in the calls that woke others

  /// The worker is about to sleep.
  void sleeps() noexcept { called_at_.store(0, std::memory_order_relaxed); }
  /// Another thread wakes it. One that is about to sleep, and has seen that already, may miss it.
  void is_called(std::uint64_t now) noexcept { called_at_.store(now, std::memory_order_relaxed); }
  /// The worker is awake.
  void comes() noexcept {
    const std::uint64_t since = called_at_.load(std::memory_order_relaxed);
    const std::uint64_t now = platform::ticks();
    if (since != 0 && now > since) late.add(now - since);
  }

 private:
  std::atomic<std::uint64_t> called_at_{0};
};

}  // namespace kasuri::sched
