// SPDX-License-Identifier: Apache-2.0
// Work and span while the program runs, without a graph.
//
// The code of a task between two points where it meets others is a strand. Each strand carries the
// longest path of the program that leads to where it is: a task begins with its creator's path, a
// join, a barrier and a contended lock go on with the longest of those that meet there, and what
// runs adds its time. The path at the program's end is its span; the time of all strands is its
// work. (The bookkeeping of Cilkscale: Schardl and others, 2015; here over any order of meetings.)
//
// Next to its length a path knows the sites that most of it was spent at.
#pragma once

#include <array>    // for array
#include <cstdint>  // for uint64_t

#include "profile/base/sites.hpp"

namespace kasuri::profile {

/// The longest path up to a point, in ticks.
class path {
 public:
  static constexpr std::size_t kept = 8;

  std::uint64_t length() const noexcept { return length_; }
  /// The same with what it costs to hand work to another worker at each fork and join of it.
  std::uint64_t burdened() const noexcept { return burdened_; }

  /// The path goes on with `ticks` of the code at `where`.
  void add(site_id where, std::uint64_t ticks) noexcept;
  /// ... with a piece of which only the lengths are known.
  void add_burden(std::uint64_t ticks) noexcept { burdened_ += ticks; }
  /// Another path leads here too: the longer one counts, and the longer burdened one.
  void meet(const path& other) noexcept;

  /// Calls f(site, ticks) for the sites it knows, in no order. What is missing to its length was
  /// spent at others.
  template <class F>
  void each_site(F f) const {
    for (std::size_t i = 0; i != kept; ++i)
      if (ticks_[i] != 0) f(sites_[i], ticks_[i]);
  }

 private:
  std::uint64_t length_ = 0;
  std::uint64_t burdened_ = 0;
  std::array<std::uint64_t, kept> ticks_{};
  std::array<site_id, kept> sites_{};
};

/// The code that runs, on its way. One thread at a time.
class strand {
 public:
  /// It begins at `now` behind `before`, and its time is that of `where`.
  void begin(site_id where, const path& before, std::uint64_t now) noexcept;
  /// It stops running for a while (waits, creates a task, ends): its time until `now` counts, but
  /// for what other programs had the processor. How long it ran since it went on. The thread that
  /// runs it.
  std::uint64_t pause(std::uint64_t now) noexcept;
  void go_on(std::uint64_t now) noexcept;
  /// Pauses, and goes on at the same moment.
  std::uint64_t lap(std::uint64_t now) noexcept {
    const bool ran = runs_;
    const std::uint64_t ticks = pause(now);
    since_ = now;
    runs_ = ran;
    return ticks;
  }
  /// What runs from `now` on belongs to another place.
  void turn_to(site_id where, std::uint64_t now) noexcept;

  /// The first ticks behind a lap are not its own.
  void skip(std::uint64_t ticks) noexcept { since_ += ticks; }
  /// What will run belongs to that place; it does not run.
  void place_at(site_id where) noexcept { where_ = where; }

  bool runs() const noexcept { return runs_; }
  site_id where() const noexcept { return where_; }
  /// The path up to its last pause. Who joins others lets it meet theirs.
  path& so_far() noexcept { return path_; }
  const path& so_far() const noexcept { return path_; }

 private:
  path path_;
  std::uint64_t since_ = 0;
  site_id where_ = 0;
  bool runs_ = false;
};

}  // namespace kasuri::profile
