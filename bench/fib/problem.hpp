// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/bench.hpp"

/// fib(n) without a cut-off: nothing but the cost of a spawn and its join.
namespace bench::fib {

/// The n-th Fibonacci number, counted up: the answer to check against.
constexpr long number(long n) {
  long current = 0;
  long next = 1;
  for (long i = 0; i < n; ++i) {
    const long sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}

struct problem {
  static constexpr const char* name = "fib";
  using answer = long;

  explicit problem(const arguments& args) : n(args.size_or(36, 30)) {}
  problem rehearsal() const {
    problem small = *this;
    small.n = n < 24 ? n : 24;
    return small;
  }
  void prepare() {}
  std::string wrong(long result) const {
    if (result == number(n)) return "";
    return "fib(" + std::to_string(n) + ") = " + std::to_string(result) + ", expected " +
           std::to_string(number(n));
  }
  /// Every call with n >= 2 spawns once: fib(n + 1) - 1 spawns in all.
  std::vector<metric> metrics(double seconds, long) const {
    return {{"time-per-spawn", "ns", seconds * 1e9 / static_cast<double>(number(n + 1) - 1)}};
  }

  long n;
};

}  // namespace bench::fib
