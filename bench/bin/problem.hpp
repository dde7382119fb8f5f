// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <ticks.hpp>
#include <vector>

#include "common/bench.hpp"

/// bin(n): consume A cycles; K times { spawn bin(n-1), call bin(n-1), wait }; consume A.
/// bin(0) consumes A. Work and span are known, so a speed-up can be held against a bound:
/// K = 1: T1 = A (3 2^n - 2), Tinf = 2 A n + A.
/// The paper's two sets of parameters are the two variants.
namespace bench::bin {

/// Spins for so many cycles of the cycle counter.
inline void consume(std::uint64_t cycles) noexcept {
  const std::uint64_t start = ticks();
  while (ticks() - start < cycles) {
  }
}

struct problem {
  static constexpr const char* name = "bin";
  using answer = long;  ///< calls of bin
  static constexpr const char* fine = "A=750,K=2";
  static constexpr const char* coarse = "A=23000,K=1";

  explicit problem(const arguments& args)
      : cycles(args.variant == fine ? 750 : 23000),
        rounds(args.variant == fine ? 2 : 1),
        n(static_cast<int>(args.variant == fine ? args.size_or(10, 7) : args.size_or(18, 13))) {}

  problem rehearsal() const {
    problem small = *this;
    small.n = n < 4 ? n : 4;
    return small;
  }
  void prepare() {}

  std::string wrong(long calls) const {
    long expected = 0;  // 1 + 2K + (2K)^2 + ... + (2K)^n
    for (int level = 0; level <= n; ++level) expected = expected * 2 * rounds + 1;
    if (calls == expected) return "";
    return std::to_string(calls) + " calls, expected " + std::to_string(expected);
  }
  std::vector<metric> metrics(double seconds, long) const { return {{"time", "s", seconds}}; }

  std::uint64_t cycles;
  int rounds;
  int n;
};

/// The body, with fork_join(f, g) -> f's and g's answers added, g spawned.
template <class ForkJoin>
long tree(std::uint64_t cycles, int rounds, int n, const ForkJoin& fork_join) {
  consume(cycles);
  if (n == 0) return 1;
  long calls = 1;
  for (int round = 0; round < rounds; ++round) {
    const auto half = [=, &fork_join] { return tree(cycles, rounds, n - 1, fork_join); };
    calls += fork_join(half, half);
  }
  consume(cycles);
  return calls;
}

/// A variant for each set of parameters, from one way to fork and join.
template <class ForkJoin>
std::vector<variant<problem>> variants(const ForkJoin& fork_join) {
  const auto solve = [fork_join](problem& p) {
    return tree(p.cycles, p.rounds, p.n, fork_join);
  };
  return {{problem::fine, solve}, {problem::coarse, solve}};
}

}  // namespace bench::bin
