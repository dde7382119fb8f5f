// SPDX-License-Identifier: Apache-2.0
// What each worker did over time: for at most 64 groups of workers and at most 2,000 bins how long
// each state was seen. Where there would be more of either, each two become one. The watcher's
// thread writes and reads it.
#pragma once

#include <array>    // for array
#include <cstddef>  // for size_t
#include <vector>   // for vector

namespace kasuri::profile {

class json;

class timeline {
 public:
  static constexpr std::size_t most_bins = 2000;
  static constexpr std::size_t most_groups = 64;

  /// `waiting` is awake, for others, but neither for a lock nor in a barrier; `late` is idle while
  /// a task was ready.
  enum state : unsigned char {
    work,
    runtime,
    lock,
    barrier,
    waiting,
    late,
    no_work,
    blocked,
    states
  };

  explicit timeline(double bin_seconds) noexcept : bin_(bin_seconds) {}

  /// In a round of looks: that worker does this now.
  void saw(std::size_t worker, state now);

  /// The round ends. It took place at `at` seconds since the start, and stands for the `held`
  /// seconds before; of what was seen as no_work so many were late. Rounds come in order.
  void end_round(double at, double held, double late_workers);

  /// In at most so many bins.
  void write(json& to, std::size_t bins = most_bins) const;

  /// Seconds of a bin; workers of a group. Both grow.
  double bin() const noexcept { return bin_; }
  std::size_t group() const noexcept { return group_; }

 private:
  using shares = std::array<float, states>;
  struct part {
    float seconds = 0;           // for which the bin was seen
    std::vector<shares> groups;  // workers times seconds; groups behind the end were not seen
  };

  void widen_groups();
  void widen_bins();
  static void add(part& to, const part& from, float weight);
  static void divide_idle(std::vector<shares>& groups, double late_workers);
  std::vector<part> joined(std::size_t bins) const;
  void write_group(json& to, std::size_t i, const std::vector<part>& bins) const;

  double bin_;
  std::size_t group_ = 1;
  std::size_t workers_ = 0;  // that have been seen: the highest number, and one
  std::vector<shares> now_;  // of the round: workers by group
  std::vector<part> bins_;
};

}  // namespace kasuri::profile
