// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "common/protocol.hpp"

/// How fast tasks spread over all workers: a binary tree with a leaf for each worker, and leaves
/// that take long, so that each worker gets one. The metrics start-1, start-2 ... are the sorted
/// start times, a value a trial: the first leaf to begin, the second, and so on.
namespace bench::diffuse {

using starts = std::vector<double>;  ///< us since the root began, by leaf

struct problem {
  static constexpr const char* name = "diffuse";
  using answer = std::vector<starts>;

  explicit problem(const arguments& args)
      : workers(args.workers), trials(args.size_or(30, 10)), tick(ns_per_tick()) {
    if (args.workers < 2) fail("diffuse: needs two workers", not_applicable);
  }
  problem rehearsal() const {
    problem small = *this;
    small.trials = 2;
    return small;
  }
  void prepare() {}

  std::string wrong(const answer& seen) const {
    for (const starts& trial : seen) {
      if (trial.size() != static_cast<std::size_t>(workers)) return "leaves are missing";
      if (std::any_of(trial.begin(), trial.end(), [](double us) { return us <= 0; })) {
        return "a leaf did not run";
      }
    }
    return seen.size() == static_cast<std::size_t>(trials) ? "" : "trials are missing";
  }

  std::vector<metric> metrics(double, const answer& seen) const {
    std::vector<metric> all;
    for (starts trial : seen) {
      std::sort(trial.begin(), trial.end());
      for (std::size_t rank = 0; rank < trial.size(); ++rank) {
        all.push_back({"start-" + std::to_string(rank + 1), "us", trial[rank]});
      }
    }
    return all;
  }

  int workers;
  long trials;
  double tick;                            ///< nanoseconds
  static constexpr double leaf_ns = 5e6;  ///< long against any system's way to a worker
};

}  // namespace bench::diffuse
