// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/pool.hpp"

#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "platform/settings/settings.hpp"

namespace kasuri::sched {

pool::pool(void* (*thread_main)(void*))
    : waker(*this, thread_main),
      roster(*this),
      postbox(*this),
      extra_tokens(*this),
      shares_(*this) {}

void pool::configure(std::unique_ptr<policy> scheduling) {
  constexpr double slice_us = 500;
  constexpr double patience_us = 20;
  const platform::settings& s = platform::current_settings();
  context::configure_stacks(s.stack_size, s.guard_pages);
  policy_ = std::move(scheduling);
  ticks_ = {.spin = platform::ticks_of_us(s.spin_us),
            .slice = platform::ticks_of_us(slice_us),
            .patience = platform::ticks_of_us(patience_us)};
  begin_anew_extra();
  const std::uint32_t sleeping = line_up_again();
  have_boxes_of_nodes(nodes().size());
  KASURI_EXPECT(cheap,
                policy_ != nullptr && configured() > 0 &&
                    static_cast<int>(sleeping) >= configured() &&
                    static_cast<int>(sleeping) <= workers(),
                "%u workers sleep, %d of %d are configured", sleeping, configured(), workers());
  idle_word().reset(sleeping, static_cast<std::uint32_t>(configured()));
}

bool pool::makes_room(worker& w) const noexcept {
  KASURI_EXPECT(cheap, current() == &w, "worker %d asks for worker %d", index_of_caller(), w.index);
  const idle_counts c = counts();
  if (c.waiting == 0) w.others_wait_since_ = 0;
  if (c.active > c.limit) return true;
  if (c.waiting == 0) return false;
  const std::uint64_t now = platform::ticks();
  if (w.others_wait_since_ == 0) w.others_wait_since_ = now;
  return now - w.others_wait_since_ >= ticks_.slice;
}

void pool::begin_stop() noexcept {
  KASURI_EXPECT(cheap, !stopping() && current() == nullptr, "it stops already, or by worker %d",
                index_of_caller());
  stopping_.store(true, std::memory_order_relaxed);  // relaxed: before the fence below
  lend_to_all();
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  grant_tokens();  // nobody queues for one from here on, and the next life begins with no queue
}

void pool::lock_all() {
  lock_waker();
  lock_roster();
  shares_.lock();
}

void pool::unlock_all() {
  shares_.unlock();
  unlock_roster();
  unlock_waker();
}

}  // namespace kasuri::sched
