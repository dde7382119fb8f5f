// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "common/bench.hpp"

/// How long a task waits for an idle worker: from just before it is pushed to its first
/// instruction on the other worker, while the one that pushed it keeps its core busy.
///   spinning   the other worker ran out of work a moment ago
///   asleep     the other worker has been idle for milliseconds
namespace bench::wakeup {

struct problem {
  static constexpr const char* name = "wakeup";
  using answer = std::vector<double>;  ///< seconds

  explicit problem(const arguments& args)
      : asleep(args.variant.find("asleep") != std::string::npos),
        samples(args.size_or(asleep ? 400 : 20'000, asleep ? 100 : 5'000)) {
    if (args.workers < 2) fail("wakeup: needs two workers", not_applicable);
  }
  problem rehearsal() const {
    problem small = *this;
    small.samples = std::min(samples, 20L);
    return small;
  }
  void prepare() {}

  std::string wrong(const answer& seconds) const {
    if (seconds.size() != static_cast<std::size_t>(samples)) return "tasks are missing";
    const bool backward =
        std::any_of(seconds.begin(), seconds.end(), [](double s) { return s < 0; });
    return backward ? "a task started before it was pushed" : "";
  }
  std::vector<metric> metrics(double, answer seconds) const {
    std::sort(seconds.begin(), seconds.end());
    const auto last = static_cast<double>(seconds.size() - 1);
    const auto quantile = [&seconds, last](double share) {
      return 1e6 * seconds[static_cast<std::size_t>(share * last)];
    };
    return {{"latency", "us", quantile(0.5)}, {"latency-p99", "us", quantile(0.99)}};
  }

  /// Leaves the other worker idle for the time that the variant wants.
  void pause() const {
    const double until = now() + (asleep ? 5e-3 : 2e-6);
    while (now() < until) {
    }
  }

  bool asleep;
  long samples;
};

/// A start that is waited for without giving the core away.
class start_signal {
 public:
  /// Called by the task as its first act.
  void give() {
    at_ = now();
    given_.store(true, std::memory_order_release);  // pairs with the acquire load in wait
  }
  /// The time of the start.
  double wait() const {
    while (!given_.load(std::memory_order_acquire)) {  // pairs with the release store in give
    }
    return at_;
  }

 private:
  double at_ = 0;
  std::atomic<bool> given_ = false;
};

/// Samples of start(signal), which pushes a task that gives the signal and returns its time.
template <class Start>
problem::answer sample(const problem& p, const Start& start) {
  problem::answer seconds;
  seconds.reserve(static_cast<std::size_t>(p.samples));
  for (long i = 0; i < p.samples; ++i) {
    p.pause();
    start_signal signal;
    const double pushed = now();
    seconds.push_back(start(signal) - pushed);
  }
  return seconds;
}

}  // namespace bench::wakeup
