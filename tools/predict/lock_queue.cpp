// SPDX-License-Identifier: Apache-2.0
#include "predict/lock_queue.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace kasuri::predict {
namespace {

// Where there are more acquires, so many stand for all: the queue has long become steady.
constexpr double most_acquires = 20'000;

/// From 0.5 to 1.5, the same in each run.
class spread {
 public:
  double next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return 0.5 + static_cast<double>(state_ >> 40U) / static_cast<double>(1U << 24U);
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

double time_with_lock(double work, const lock_use& lock, int members) {
  const double mean = work / members;
  if (members == 1 || lock.acquires < 1 || lock.held <= 0) return mean;
  const double held = std::min(lock.held, work);
  const double simulated = std::min(std::ceil(lock.acquires), most_acquires);
  const double hold = held / lock.acquires;
  const double think = (work - held) / lock.acquires;
  using arrival = std::pair<double, int>;  // when, who
  std::priority_queue<arrival, std::vector<arrival>, std::greater<>> comes;
  spread some;
  const auto count = static_cast<int>(simulated);
  for (int i = 0; i != std::min(members, count); ++i) comes.emplace(think * some.next(), i);
  std::vector<int> left(static_cast<std::size_t>(members), count / members);
  for (int i = 0; i != count % members; ++i) ++left[static_cast<std::size_t>(i)];
  double free_at = 0;
  while (!comes.empty()) {
    const auto [when, who] = comes.top();
    comes.pop();
    free_at = std::max(free_at, when) + hold;
    if (--left[static_cast<std::size_t>(who)] > 0)
      comes.emplace(free_at + think * some.next(), who);
  }
  return std::max(mean, free_at * lock.acquires / simulated);
}

}  // namespace kasuri::predict
