// SPDX-License-Identifier: Apache-2.0
#include "omp/team/workshare.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

void scratch::forget() noexcept {
  if (size_ != 0 && platform::race_detector_runs()) [[unlikely]]
    platform::forget_accesses(memory_.get() + front, size_);
}

void* scratch::zeros(std::size_t size) noexcept {
  forget();
  if (size > size_) {
    memory_.reset(new (std::nothrow) std::byte[front + size]);
    if (memory_ == nullptr) platform::fatal("openmp: no memory for %zu bytes of a loop", size);
    size_ = size;
  }
  void* const zeros = std::memset(memory_.get() + front, 0, size);
  forget();
  return zeros;
}

workshares::workshares() noexcept = default;
workshares::~workshares() {
  KASURI_EXPECT(cheap, wanted.load(std::memory_order_relaxed) == 0, "%u members wait for a place",
                wanted.load(std::memory_order_relaxed));
  delete[] loop_shares.load(std::memory_order_relaxed);
}

void workshares::begin_region(const worksharing& before, bool whole) noexcept {
  KASURI_EXPECT(cheap, before.ticket >= base, "member 0 is at ticket %lu, the region began at %lu",
                before.ticket, base);
  base = before.ticket;
  if (!whole)
    for (const construct& c : ring)
      base = std::max(base, (c.state.load(std::memory_order_relaxed) + 1) / 2);
  KASURI_EXPECT(all,
                std::ranges::all_of(
                    ring, [](std::uint64_t s) { return s % 2 == 0; },
                    [](const construct& c) { return c.state.load(std::memory_order_relaxed); }),
                "a construct before ticket %lu is being set up still", base);
  KASURI_EXPECT(cheap, wanted.load(std::memory_order_relaxed) == 0, "%u members wait for a place",
                wanted.load(std::memory_order_relaxed));
  single_base = std::max(single_base, singles.load(std::memory_order_relaxed));
  cancelled.store(0, std::memory_order_relaxed);
}

}  // namespace kasuri::omp
