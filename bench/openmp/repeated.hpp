// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "common/bench.hpp"

/// Constructs whose cost spans five orders of magnitude from runtime to runtime, each measured
/// within the same time.
namespace bench::openmp {

struct budget {
  double total = 0.06;    ///< seconds of samples
  double sample = 0.002;  ///< seconds that one sample should take at least
};

/// Seconds for one repetition, sample by sample.
using samples = std::vector<double>;

inline double mean(const samples& all) {
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

inline double middle(samples all) {
  const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), half, all.end());
  return *half;
}

/// Calls work(n) for n = unit, 2 unit, 4 unit ... until it takes a sample's time, and then with
/// that n until the budget is spent.
template <class Work>
samples repeat(long unit, const budget& time, const Work& work) {
  const auto timed = [&work](long n) {
    const double start = now();
    work(n);
    return now() - start;
  };
  long n = unit;
  double last = timed(n);
  while (last < time.sample) last = timed(n *= 2);
  samples found;
  for (double spent = 0; spent < time.total || found.empty(); spent += last) {
    last = timed(n);
    found.push_back(last / static_cast<double>(n));
  }
  return found;
}

}  // namespace bench::openmp
