// SPDX-License-Identifier: Apache-2.0
#include "record/time_account.hpp"

#include "platform/base/clock.hpp"
#include "platform/base/processor_time.hpp"
#include "platform/thread/os_thread.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace kasuri::record {
namespace {

std::uint64_t ticks_of_ns(std::uint64_t nanoseconds) noexcept {
  static const double per_ns = platform::ticks_per_second() * 1e-9;
  return static_cast<std::uint64_t>(static_cast<double>(nanoseconds) * per_ns);
}

}  // namespace

time_split& time_split::operator+=(const time_split& other) noexcept {
  work += other.work;
  overhead += other.overhead;
  idle_ready += other.idle_ready;
  idle_empty += other.idle_empty;
  blocked += other.blocked;
  waiting += other.waiting;
  off_core += other.off_core;
  processor += other.processor;
  return *this;
}

time_account::share time_account::share_of(time_state state, bool saw_ready) noexcept {
  switch (state) {
    case time_state::detached:
      return uncounted;
    case time_state::work:
      return work;
    case time_state::overhead:
      return overhead;
    case time_state::idle:
      return saw_ready ? idle_ready : idle_empty;
    case time_state::blocked:
      return blocked;
    case time_state::waiting:
      return waiting;
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

void time_account::waited_on() noexcept { settle(waiting, time_state::waiting); }

void time_account::add(share to, std::uint64_t ticks) noexcept {
  // release: pairs with its acquire in try_read(), as in settle()
  sums_[to].store(sums_[to].load(std::memory_order_relaxed) + ticks, std::memory_order_release);
}

/// Reads the processor's clock at the end of an interval. How much of that the thread did not run.
std::uint64_t time_account::sample(share ended, std::uint64_t interval,
                                   std::uint64_t now) noexcept {
  const std::uint64_t clock = platform::processor_nanoseconds();
  const std::uint64_t before = processor_at_sample_.load(std::memory_order_relaxed);
  std::uint64_t away = 0;
  if (ended == uncounted) {  // it may be another thread by now
    thread_.store(platform::thread_id(), std::memory_order_relaxed);
  } else {
    // 0 where another thread has taken the account over, whose clock shows less.
    const std::uint64_t all = ticks_of_ns(clock - std::min(clock, before));
    const std::uint64_t ran = all - std::min(all, elsewhere_);
    const std::uint64_t passed = now - sampled_at_;
    add(processor, ran - std::min(ran, estimated_));
    if (runs(ended) && passed > ran + rested_ + platform::ticks_of_us(least_away_us))
      away = std::min(interval, passed - ran - rested_);
  }
  // release: pairs with its acquire in try_read()
  processor_at_sample_.store(clock, std::memory_order_release);
  sampled_at_ = now;
  rested_ = elsewhere_ = estimated_ = 0;
  return away;
}

/// The thread leaves so soon behind the last look at the processor's clock that it is taken to have
/// run since.
void time_account::leave(share ended, std::uint64_t now) noexcept {
  left_ = __builtin_thread_pointer();
  left_at_ = now;
  const std::uint64_t passed = now - sampled_at_;
  const std::uint64_t since = since_.load(std::memory_order_relaxed);
  const std::uint64_t rested = rested_ + (runs(ended) || now < since ? 0 : now - since);
  const std::uint64_t more = passed - std::min(passed, rested + estimated_);
  add(processor, more);
  estimated_ += more;
}

/// Whether the thread that comes has left without a look at the processor's clock, and is soon
/// enough.
bool time_account::comes_back(std::uint64_t now) noexcept {
  if (std::exchange(left_, nullptr) != __builtin_thread_pointer() ||
      now - sampled_at_ >= platform::ticks_of_us(between_samples_us))
    return false;
  elsewhere_ += now - left_at_;
  return true;
}

bool time_account::sample_is_due(share ended, time_state next, std::uint64_t now) noexcept {
  if (ended == uncounted) return !comes_back(now);
  if (now - sampled_at_ >= platform::ticks_of_us(between_samples_us)) return true;
  if (next == time_state::detached) leave(ended, now);
  return false;
}

std::uint64_t time_account::settle(share to, time_state next) noexcept {
  const std::uint64_t now = platform::ticks();
  const std::uint64_t since = since_.load(std::memory_order_relaxed);
  const std::uint64_t interval = now > since ? now - since : 0;
  const std::uint32_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  // Each release pairs with its acquire in try_read(): a reader of one of these values sees the odd
  // version when it looks again.
  std::uint64_t away = 0;
  if (sample_is_due(to, next, now))
    away = sample(to, interval, now);
  else if (!runs(to))
    rested_ += interval;
  add(to, interval - away);
  if (away != 0) add(off_core, away);
  since_.store(now, std::memory_order_release);  // pairs with its acquire in try_read(), as above
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
  // acquire: pairs with the release in sample()
  const std::uint64_t clock = processor_at_sample_.load(std::memory_order_acquire);
  if (state != time_state::detached) {
    const int thread = thread_.load(std::memory_order_relaxed);
    const std::uint64_t later = platform::processor_nanoseconds_of(thread, clock);
    if (later > clock) sums[processor] += ticks_of_ns(later - clock);
  }
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
          .blocked = sums[blocked],
          .waiting = sums[waiting],
          .off_core = sums[off_core],
          .processor = sums[processor]};
}

}  // namespace kasuri::record
