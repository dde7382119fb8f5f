// SPDX-License-Identifier: Apache-2.0
#include "omp/team/workshare.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "omp/run/wait.hpp"
#include "omp/team/team.hpp"
#include "omp/work/loop_share.hpp"
#include "omp/work/meet.hpp"
#include "platform/base/fatal.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

using detail::real_atomics;

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
workshares::~workshares() { delete[] loop_shares.load(std::memory_order_relaxed); }

void workshares::begin_region(const worksharing& before, bool whole) noexcept {
  base = before.ticket;
  if (!whole)
    for (const construct& c : ring)
      base = std::max(base, (c.state.load(std::memory_order_relaxed) + 1) / 2);
  single_base = std::max(single_base, singles.load(std::memory_order_relaxed));
  cancelled.store(0, std::memory_order_relaxed);
}

namespace {

/// All members have left the tickets below.
std::uint64_t left_by_all(const team& t) noexcept {
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i != t.size; ++i)
    // acquire: pairs with the release in leave
    least = std::min(least, t.members[i]->work.left.load(std::memory_order_acquire));
  return least;
}

}  // namespace

void wait_for_place(member& m, team& t, std::uint64_t ticket) noexcept {
  const std::uint64_t needed = ticket - workshares::places + 1;
  std::uint64_t left = left_by_all(t);
  if (left < needed) {
    t.shares.wanted.fetch_add(1, std::memory_order_relaxed);
    real_atomics::fence_heavy();  // pairs with the light fence in leave
    wait_until(
        m, &t.shares, [&t, &left, needed] { return (left = left_by_all(t)) >= needed; },
        may_run::nothing);
    t.shares.wanted.fetch_sub(1, std::memory_order_relaxed);
  }
  m.work.free_to = left + workshares::places;
}

void wait_for_set_up(const construct& c, std::uint64_t ticket) noexcept {
  unsigned n = 0;
  // acquire: pairs with the release in meet
  while (c.state.load(std::memory_order_acquire) != 2 * ticket + 2) real_atomics::backoff(n++);
}

void notify_left(team& t) noexcept { notify(&t.shares); }

}  // namespace kasuri::omp
