// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdint>

#include "common/every_worker.hpp"
#include "latency/problem.hpp"

namespace {

using namespace bench;
using latency::problem;
using latency::sample;

/// A side that says when it begins, and keeps its worker until the other has begun too.
class side {
 public:
  std::int64_t begin(const side& other) {
    const auto at = static_cast<std::int64_t>(ticks());
    begun_.store(true, std::memory_order_relaxed);  // nothing else is handed over
    spin_until([&other] { return other.begun_.load(std::memory_order_relaxed); });
    return at;
  }

 private:
  std::atomic<bool> begun_ = false;
};

template <class Way>
sample once() {
  side parent;
  side child;
  const auto start = static_cast<std::int64_t>(ticks());
  const auto both = kasuri::model::fork_join<Way>([&] { return parent.begin(child); },
                                                  [&] { return child.begin(parent); });
  return {both.second - start, both.first - start};
}

}  // namespace

int main(int argc, char** argv) {
  return run_model<problem>(argc, argv, []<class Way>(problem& p) {
    problem::answer seen;
    for (long i = 0; i < p.samples; ++i) seen.push_back(once<Way>());
    return seen;
  });
}
