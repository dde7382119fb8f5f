// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "common/protocol.hpp"

/// What it takes to double the parallelism: t0 before the spawn, t1 in the child, t2 in the parent
/// after the spawn, with both kept busy until the other has begun, so that they are on different
/// workers. Which one waits tells whether a system runs the child first or the parent. 10000 times,
/// without the first 1000.
namespace bench::latency {

struct sample {
  std::int64_t child = 0;   ///< ticks from t0 to t1
  std::int64_t parent = 0;  ///< ticks from t0 to t2
};

struct problem {
  static constexpr const char* name = "latency";
  using answer = std::vector<sample>;

  explicit problem(const arguments& args)
      : samples(args.size_or(10'000, 1'000)), dropped(samples / 10), tick(ns_per_tick()) {
    if (args.workers < 2) fail("latency: needs two workers", not_applicable);
  }
  problem rehearsal() const {
    problem small = *this;
    small.samples = std::min(samples, 20L);
    small.dropped = 0;
    return small;
  }
  void prepare() {}

  std::string wrong(const answer& seen) const {
    if (seen.size() != static_cast<std::size_t>(samples)) return "samples are missing";
    // Counters of two cores may differ by little.
    const auto backward = [](const sample& s) { return s.child < -1000 || s.parent < 0; };
    return std::any_of(seen.begin(), seen.end(), backward) ? "a task began before its spawn" : "";
  }

  std::vector<metric> metrics(double, const answer& seen) const {
    const double child = middle(seen, [](const sample& s) { return s.child; });
    const double parent = middle(seen, [](const sample& s) { return s.parent; });
    const double both = middle(seen, [](const sample& s) { return std::max(s.child, s.parent); });
    return {{"child", "cycles", child},
            {"parent", "cycles", parent},
            {"later", "cycles", both},
            {"child-time", "ns", child * tick},
            {"parent-time", "ns", parent * tick},
            {"later-time", "ns", both * tick}};
  }

  long samples;
  long dropped;
  double tick;  ///< nanoseconds

 private:
  template <class Of>
  double middle(const answer& seen, const Of& of) const {
    std::vector<std::int64_t> all;
    for (auto s = seen.begin() + dropped; s != seen.end(); ++s) all.push_back(of(*s));
    const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), half, all.end());
    return static_cast<double>(*half);
  }
};

}  // namespace bench::latency
