// SPDX-License-Identifier: Apache-2.0
#include "omp/work/meet.hpp"

#include <algorithm>

#include "omp/run/wait.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

using detail::real_atomics;

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
  KASURI_EXPECT(cheap, ticket >= workshares::places, "construct %lu has a place for certain",
                ticket);
  const std::uint64_t needed = ticket - workshares::places + 1;
  std::uint64_t left = left_by_all(t);
  if (left < needed) {
    t.shares.wanted.fetch_add(1, std::memory_order_relaxed);  // relaxed: before the fence below
    real_atomics::fence_heavy();                              // pairs with the light fence in leave
    wait_until(
        m, &t.shares, [&t, &left, needed] { return (left = left_by_all(t)) >= needed; },
        may_run::nothing);
    // relaxed: a member that sees the higher count notifies in vain
    [[maybe_unused]] const std::uint32_t before =
        t.shares.wanted.fetch_sub(1, std::memory_order_relaxed);
    KASURI_EXPECT(cheap, before != 0 && before <= static_cast<std::uint32_t>(t.size),
                  "%u members of %d wait for a place", before, t.size);
  }
  KASURI_EXPECT(cheap, left >= needed, "all members have left the tickets below %lu, not %lu", left,
                needed);
  m.work.free_to = left + workshares::places;
}

void wait_for_set_up(const construct& c, std::uint64_t ticket) noexcept {
  unsigned n = 0;
  // acquire: pairs with the release in meet
  while (c.state.load(std::memory_order_acquire) != 2 * ticket + 2) real_atomics::backoff(n++);
}

void notify_left(team& t) noexcept { notify(&t.shares); }

}  // namespace kasuri::omp
