// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <ticks.hpp>
#include <vector>

#include "common/bench.hpp"

/// bin(n): consume A cycles; K times { spawn bin(n-1), call bin(n-1), wait, consume A }. Every call
/// counts the times it has consumed A, and the longest chain of them, so that work and span as they
/// happened stand beside the formulas and the bound that they give.
namespace bench::bin {

/// Spins for so many cycles of the cycle counter.
inline void consume(std::uint64_t cycles) noexcept {
  const std::uint64_t start = ticks();
  while (ticks() - start < cycles) {
  }
}

/// In times that A was consumed.
struct units {
  long work = 0;
  long span = 0;

  friend bool operator==(const units&, const units&) = default;
};

/// Two calls at once.
inline units beside(const units& a, const units& b) {
  return {a.work + b.work, std::max(a.span, b.span)};
}

/// One after the other.
inline units then(const units& a, const units& b) { return {a.work + b.work, a.span + b.span}; }

/// A, K and n, written "A=750,K=2,n=10"; n may be missing.
struct parameters {
  std::uint64_t cycles = 0;
  int rounds = 0;
  int depth = 0;

  static parameters from(const std::string& text) {
    parameters read;
    unsigned long long a = 0;
    int end = 0;
    if (std::sscanf(text.c_str(), "A=%llu,K=%d%n,n=%d%n", &a, &read.rounds, &end, &read.depth,
                    &end) < 2 ||
        end != static_cast<int>(text.size()) || read.rounds < 1 || read.depth < 0) {
      return {};
    }
    read.cycles = a;
    return read;
  }
};

/// Solutions of the recurrences: work(0) = 1, work(n) = 1 + K (2 work(n-1) + 1), and the same with
/// one span for the two calls. The paper's span for K = 1 is 2 n: one unit less.
struct analysis {
  static long power(long base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
  }
  static units of(int k, int n) {
    const long work = (3 * k * power(2L * k, n) - (k + 1)) / (2 * k - 1);
    const long span = k == 1 ? 2L * n + 1 : (2 * power(k, n + 1) - (k + 1)) / (k - 1);
    return {work, span};
  }
};

struct problem {
  static constexpr const char* name = "bin";
  using answer = units;
  /// The paper's two sets; n is 10 and 18 there.
  static constexpr std::array<const char*, 2> inputs = {"A=750,K=2", "A=23000,K=1"};
  static bool accepts(const std::string& input) { return parameters::from(input).rounds > 0; }

  explicit problem(const arguments& args) : problem(parameters::from(args.input), args.workers) {
    if (n == 0)
      n = static_cast<int>(args.input == inputs[0] ? args.size_or(10, 7) : args.size_or(18, 13));
  }
  problem(const parameters& p, int threads)
      : cycles(p.cycles), rounds(p.rounds), n(p.depth), workers(threads) {}

  problem rehearsal() const {
    problem small = *this;
    small.n = std::min(n, 4);
    return small;
  }
  void prepare() {}

  std::string wrong(const units& counted) const {
    const units expected = analysis::of(rounds, n);
    if (counted == expected) return "";
    return text(counted) + ", expected " + text(expected);
  }
  /// The greedy bound on the speed-up: T1 / (T1 / P + Tinf).
  std::vector<metric> metrics(double seconds, const units& counted) const {
    const auto work = static_cast<double>(counted.work);
    const auto span = static_cast<double>(counted.span);
    const units formula = analysis::of(rounds, n);
    return {{"time", "s", seconds},
            {"T1", "units", work},
            {"Tinf", "units", span},
            {"T1-formula", "units", static_cast<double>(formula.work)},
            {"Tinf-formula", "units", static_cast<double>(formula.span)},
            {"greedy-bound", "x", work / (work / workers + span)}};
  }

  std::uint64_t cycles;
  int rounds;
  int n;
  int workers;

 private:
  static std::string text(const units& u) {
    return "work " + std::to_string(u.work) + ", span " + std::to_string(u.span);
  }
};

}  // namespace bench::bin
