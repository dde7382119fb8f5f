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

// So many acquires stand for more: the queue has long become steady.
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
  std::vector<double> alone(static_cast<std::size_t>(members), 0);  // without waiting
  for (int i = 0; i != std::min(members, count); ++i) {
    const double thinks = think * some.next();
    alone[static_cast<std::size_t>(i)] = thinks + hold;
    comes.emplace(thinks, i);
  }
  std::vector<int> left(static_cast<std::size_t>(members), count / members);
  for (int i = 0; i != count % members; ++i) ++left[static_cast<std::size_t>(i)];
  double free_at = 0;
  while (!comes.empty()) {
    const auto [when, who] = comes.top();
    comes.pop();
    free_at = std::max(free_at, when) + hold;
    if (--left[static_cast<std::size_t>(who)] == 0) continue;
    const double thinks = think * some.next();
    alone[static_cast<std::size_t>(who)] += thinks + hold;
    comes.emplace(free_at + thinks, who);
  }
  // One member has thought for longer than the others by chance: that is not the lock's time.
  const double chance = std::max(0.0, std::ranges::max(alone) - mean * simulated / lock.acquires);
  return std::max({mean, held, (free_at - chance) * lock.acquires / simulated});
}

}  // namespace kasuri::predict
