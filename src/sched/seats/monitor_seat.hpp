// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kasuri::sched {

class monitor;

/// The monitor's notes on a worker: pool/monitor.cpp.
class monitor_seat {
 public:
  /// The tokens that were lent are gone: the pool starts anew.
  void forget_token() noexcept { stuck_ = progress::moves; }

 private:
  friend class monitor;

  enum class progress { moves, sleeps, runs, waits_for_mutex };
  progress stuck_ = progress::moves;  // why a token was lent for it, if one was
  std::uint64_t last_beat_ = 0;
  int still_ = 0;                  // looks without a beat
  unsigned looks_since_lent_ = 0;  // since a token was lent for it
  std::uint64_t slept_ = 0;        // times, when it was last found to sleep for a mutex
  int looks_asleep_ = 0;           // that have found it so since
};

}  // namespace kasuri::sched
