// SPDX-License-Identifier: Apache-2.0
#include "profile/base/top_places.hpp"

namespace kasuri::profile {

void top_places::add(const void* place, std::uint64_t ticks) noexcept {
  entry* least = &all_[0];
  for (entry& e : all_) {
    const std::uint64_t has = e.ticks.load(std::memory_order_relaxed);
    if (e.place.load(std::memory_order_relaxed) == place) {
      e.ticks.store(has + ticks, std::memory_order_relaxed);
      return;
    }
    if (has < least->ticks.load(std::memory_order_relaxed)) least = &e;
  }
  // A place that is not among them takes the place of the least once it has more in one go.
  if (ticks <= least->ticks.load(std::memory_order_relaxed)) return;
  least->place.store(place, std::memory_order_relaxed);
  least->ticks.store(ticks, std::memory_order_relaxed);
}

const void* top_places::most() const noexcept {
  const void* place = nullptr;
  std::uint64_t ticks = 0;
  for (const entry& e : all_) {
    const std::uint64_t has = e.ticks.load(std::memory_order_relaxed);
    if (has <= ticks) continue;
    ticks = has;
    place = e.place.load(std::memory_order_relaxed);
  }
  return place;
}

}  // namespace kasuri::profile
