// SPDX-License-Identifier: Apache-2.0
// What the workers did over time, in at most 2,000 bins of equal length: where there would be more,
// each two become one. The watcher's thread writes and reads it.
#pragma once

#include <cstddef>  // for size_t
#include <vector>   // for vector

namespace kasuri::profile {

class json;

/// At one moment, or the mean of a bin: of the pool's workers.
struct crowd_state {
  double running = 0;  // their tasks run
  double waiting = 0;  // ... wait awake for others
  double blocked = 0;  // ... sleep in the system
  double ready = 0;    // tasks that nobody has begun, as many as there were workers for them
  double serial = 0;   // 1: no worker runs, and a thread outside the pool does
  double asleep = 0;   // 1: nothing of the program runs
};

class series {
 public:
  static constexpr std::size_t most_bins = 2000;

  explicit series(double bin_seconds) noexcept : bin_(bin_seconds) {}

  /// What was seen at `at` seconds since the start, and held for `held` seconds before. Moments
  /// come in order.
  void add(double at, double held, const crowd_state& seen);

  /// Seconds of a bin; it grows.
  double bin() const noexcept { return bin_; }
  void write(json& to) const;

 private:
  struct part {
    double seconds = 0;
    crowd_state sum;  // times seconds
  };
  void halve();

  double bin_;
  std::vector<part> bins_;
};

}  // namespace kasuri::profile
