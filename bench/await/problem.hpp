// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/bench.hpp"

/// Awaits of one coroutine, in a loop:
///   child    a coroutine that returns at once
///   ready    a future that is ready, made for it
///   lock     a mutex that is free, and its unlock
///   channel  a send and a receive, nobody waits
///   turn     a yield, where nothing else is ready
///   task     a coroutine that is made a task of its own, and its result
namespace bench::await {

struct problem {
  static constexpr const char* name = "await";
  using answer = long;

  explicit problem(const arguments& args) : awaits(args.size_or(2'000'000, 200'000)) {}
  problem rehearsal() const {
    problem small = *this;
    small.awaits = 1000;
    return small;
  }
  void prepare() {}
  /// Adds up what the awaits gave: 0, 1 ...
  std::string wrong(long sum) const {
    const long expected = awaits * (awaits - 1) / 2;
    if (sum == expected) return "";
    return "the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected);
  }
  std::vector<metric> metrics(double seconds, long) const {
    return {{"time-per-await", "ns", seconds * 1e9 / static_cast<double>(awaits)}};
  }

  long awaits;
};

}  // namespace bench::await
