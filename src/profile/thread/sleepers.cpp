// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/sleepers.hpp"

namespace kasuri::profile {

constinit std::atomic<int> asleep_for_lock{0};
constinit std::atomic<int> asleep_in_barrier{0};

void sleeper::count(record::wait_reason why) noexcept {
  using enum record::wait_reason;
  if (why == mutex || why == openmp_lock) counted_ = &asleep_for_lock;
  if (why == barrier || why == openmp_barrier) counted_ = &asleep_in_barrier;
  if (counted_ != nullptr) counted_->fetch_add(1, std::memory_order_relaxed);
}

void forget_sleepers() noexcept {
  asleep_for_lock.store(0, std::memory_order_relaxed);
  asleep_in_barrier.store(0, std::memory_order_relaxed);
}

}  // namespace kasuri::profile
