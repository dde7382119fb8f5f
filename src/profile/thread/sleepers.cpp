// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/sleepers.hpp"

#include "profile/base/active.hpp"

namespace kasuri::profile {

constinit std::atomic<int> asleep_for_lock{0};
constinit std::atomic<int> asleep_in_barrier{0};

std::atomic<int>* falls_asleep(record::wait_reason why) noexcept {
  using enum record::wait_reason;
  if (!active()) return nullptr;
  std::atomic<int>* counted = nullptr;
  if (why == mutex || why == openmp_lock) counted = &asleep_for_lock;
  if (why == barrier || why == openmp_barrier) counted = &asleep_in_barrier;
  if (counted != nullptr) counted->fetch_add(1, std::memory_order_relaxed);
  return counted;
}

void wakes_up(std::atomic<int>* counted) noexcept {
  if (counted != nullptr) counted->fetch_sub(1, std::memory_order_relaxed);
}

void forget_sleepers() noexcept {
  asleep_for_lock.store(0, std::memory_order_relaxed);
  asleep_in_barrier.store(0, std::memory_order_relaxed);
}

}  // namespace kasuri::profile
