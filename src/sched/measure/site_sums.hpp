// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a worker has seen of the forks and tasks of one site, and what it expects of the next.

#include <array>
#include <cstdint>

#include "record/counter.hpp"
#include "sched/measure/fork_tree.hpp"

namespace kasuri::sched {

/// The owner writes, anyone reads the counters.
struct site_sums {
  static constexpr std::size_t sizes = 40;
  static constexpr std::size_t bits_of_level = 4;  // a sample has leaves of a level below its own

  record::counter seen;     // forks or tasks that were measured one by one
  record::counter inner;    // forks within leaves, as samples of such leaves have it
  record::counter skipped;  // forks left in the code around them: many, short, one after the other
  record::counter unmeasured;  // of which only the time is known, or nothing
  record::counter leaves;
  record::counter leaf_ticks;
  std::array<record::counter, sizes> log2_ns;  // of the work of a second side, or a task

  // ---- the owner's
  // -------------------------------------------------------------------------------

  /// What samples have shown of sides with about as much work.
  struct shape {
    double work = 0;
    double span = 0;
    double forks = 0;
  };
  std::array<shape, sizes> by_work;  // by log2 of the ticks
  float first_share = 0;             // of a fork's work, its first side's; 0: not known
  float mean_task = 0;               // ticks; 0: not known
  bool creates_tasks = false;
  std::array<std::uint64_t, sizes / bits_of_level> next_sample{};  // when, by level of the size

  /// When the next sample of sides of so much work is due.
  std::uint64_t& next_sample_of(std::uint64_t work) noexcept;
  /// Ticks of a fork, where there is hardly any code besides the forks themselves; else 0.
  double fork_ticks = 0;
  /// A side or a task that was taken apart. As a leaf it would have taken about `expected`:
  /// in a sample of very short forks most of the time is the recorder's.
  void learn_shape(const fork_sums& whole, std::uint64_t expected) noexcept;
  /// Sides of about `work`, with nothing but short code besides their forks.
  void learn_forks(std::uint64_t work) noexcept;
  /// Of a leaf only its work is known. Where that is much more than was expected, the thread did
  /// not have its processor all the time.
  fork_sums guess(std::uint64_t work, std::uint64_t expected) const noexcept;
  void learn_share(std::uint64_t first, std::uint64_t second) noexcept;
  void learn_task(std::uint64_t work) noexcept;
  /// Work expected of the second side behind a first one of `first` ticks; `unknown_work`: no idea.
  std::uint64_t expect_second(std::uint64_t first) const noexcept;
  /// ... and of the first side of a fork of `whole` ticks.
  std::uint64_t expect_first(std::uint64_t whole) const noexcept;
  void count_size(std::uint64_t ticks) noexcept;
};

inline constexpr std::uint64_t unknown_work = ~std::uint64_t{0};

}  // namespace kasuri::sched
