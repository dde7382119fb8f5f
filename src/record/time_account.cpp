// SPDX-License-Identifier: Apache-2.0
#include "record/time_account.hpp"

#include "platform/clock.hpp"

#include <thread>

namespace kasuri::record {

time_split& time_split::operator+=(const time_split& other) noexcept {
  work += other.work;
  overhead += other.overhead;
  idle_ready += other.idle_ready;
  idle_empty += other.idle_empty;
  blocked += other.blocked;
  return *this;
}

time_account::share time_account::share_of(time_state state, bool saw_ready) noexcept {
  switch (state) {
    case time_state::detached: return uncounted;
    case time_state::work: return work;
    case time_state::overhead: return overhead;
    case time_state::idle: return saw_ready ? idle_ready : idle_empty;
    case time_state::blocked: return blocked;
  }
  return uncounted;
}

std::uint64_t time_account::switch_to(time_state next) noexcept {
  const time_state last = state();
  // To leave for `detached` is to stop looking, not to have found something.
  const bool found = next != time_state::detached;
  return settle(share_of(last, found), next);
}

void time_account::looked(bool saw_ready) noexcept {
  settle(share_of(time_state::idle, saw_ready), time_state::idle);
}

std::uint64_t time_account::settle(share to, time_state next) noexcept {
  const std::uint64_t now = platform::ticks();
  const std::uint64_t since = since_.load(std::memory_order_relaxed);
  const std::uint64_t sum = sums_[to].load(std::memory_order_relaxed);
  const std::uint32_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  // Each release pairs with its acquire in try_read(): who sees one of these values sees the
  // odd version when it looks again.
  sums_[to].store(sum + (now > since ? now - since : 0), std::memory_order_release);
  since_.store(now, std::memory_order_release);
  // pairs with the acquire of state_ in try_read().
  state_.store(static_cast<std::uint8_t>(next), std::memory_order_release);
  // pairs with the acquire of version_ in try_read().
  version_.store(version + 2, std::memory_order_release);
  return now;
}

bool time_account::try_read(std::array<std::uint64_t, shares>& sums) const noexcept {
  // pairs with the last release in settle().
  const std::uint32_t before = version_.load(std::memory_order_acquire);
  for (unsigned i = 0; i < shares; ++i) {
    sums[i] = sums_[i].load(std::memory_order_acquire);  // pairs with the release in settle()
  }
  const auto since = since_.load(std::memory_order_acquire);  // pairs with the release in settle()
  // pairs with the release of state_ in settle().
  const auto state = static_cast<time_state>(state_.load(std::memory_order_acquire));
  const std::uint64_t now = platform::ticks();
  if (now > since) sums[share_of(state, false)] += now - since;
  return before % 2 == 0 && version_.load(std::memory_order_relaxed) == before;
}

time_split time_account::read() const noexcept {
  // A writer that was preempted half-way goes on soon when its processor is left to it. One that
  // does not exist any more (after fork) must not hold a reader up for ever: then the last reading
  // has to do, wrong by one interval at most.
  constexpr int attempts = 1000;
  std::array<std::uint64_t, shares> sums{};
  for (int i = 0; i < attempts && !try_read(sums); ++i) std::this_thread::yield();
  return {.work = sums[work],
          .overhead = sums[overhead],
          .idle_ready = sums[idle_ready],
          .idle_empty = sums[idle_empty],
          .blocked = sums[blocked]};
}

}  // namespace kasuri::record
