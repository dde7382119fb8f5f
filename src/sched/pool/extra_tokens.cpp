// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/extra_tokens.hpp"

#include "platform/cpu/cpus.hpp"
#include "platform/base/expect.hpp"
#include "platform/settings/settings.hpp"
#include "record/recorder.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::sched {

void extra_tokens::begin_anew_extra() noexcept {
  const platform::settings& s = platform::current_settings();
  most_spares_ = s.max_spares;
  lent_.store(0, std::memory_order_relaxed);
  guests_may_bring_ = s.num_workers >= platform::usable_cpus();
}

void extra_tokens::bring_token(worker& w) noexcept {
  KASURI_EXPECT(cheap, !w.brought_token_ && current() == &w,
                "worker %d brings a second token, or worker %d for it", w.index, index_of_caller());
  w.brought_token_ = true;
  brought_.fetch_add(1, std::memory_order_relaxed);
  of_.idle_word().enter_with_token();
}

void extra_tokens::take_brought_token_away(worker& w) noexcept {
  w.brought_token_ = false;
  of_.idle_word().leave_with_token();
  const int before = brought_.fetch_sub(1, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, before > 0, "worker %d takes one of %d brought tokens away", w.index,
                before);
}

void extra_tokens::blocking_begin(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "worker %d is to block, worker %d says so", w.index,
                index_of_caller());
  w.queue.publish_all();
  record::emit(w.log, record::event_kind::blocking_begin);
  w.spends_time_on(record::time_state::blocked);
  w.busy.store(false, std::memory_order_relaxed);
  lend_token(w);
}

void extra_tokens::blocking_end(worker& w) noexcept {
  w.busy.store(true, std::memory_order_relaxed);
  w.tick();
  take_token_back();
  w.spends_time_on(record::time_state::work);
  record::emit(w.log, record::event_kind::blocking_end);
}

bool extra_tokens::some_are_gone() const noexcept {
  for (int i = 0, n = of_.workers(); i != n; ++i)
    if (const worker* const w = of_.at(i); w != nullptr && w->gone.load(std::memory_order_relaxed))
      return true;
  return false;
}

/// A worker for which the system had no thread may be tried once more. False: there is none such.
bool extra_tokens::revive_one() noexcept {
  for (int i = 0, n = of_.workers(); i != n; ++i) {
    worker* const w = of_.at(i);
    if (w == nullptr || !w->gone.load(std::memory_order_relaxed)) continue;
    if (!w->gone.exchange(false, std::memory_order_relaxed)) continue;
    w->asleep.store(flag::threadless, std::memory_order_relaxed);
    return true;
  }
  return false;
}

// The tokens that are free have a sleeper each already, and take it once work turns up: the monitor
// may lend several before the first of them does.
void extra_tokens::have_sleepers(std::uint32_t more) noexcept {
  for (;;) {
    const idle_counts c = of_.counts();
    if (c.sleeping + c.active >= c.limit + more) return;
    if (of_.stopping() && c.sleeping != 0) return;  // there are more tokens than work
    if (more == 0 && some_are_gone()) return;       // the system gives no threads
    if (more == 0 || !revive_one()) {
      if (spares_.fetch_add(1, std::memory_order_relaxed) >= most_spares_) {
        spares_.fetch_sub(1, std::memory_order_relaxed);
        return;
      }
      of_.add_worker(record::worker_role::spare);
    }
    of_.idle_word().add_sleeper();
  }
}

void extra_tokens::send_free_tokens() noexcept {
  have_sleepers(0);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  of_.work_is_visible();
}

void extra_tokens::lend_token(worker& stuck) noexcept {
  if (of_.orphan() != nullptr) [[unlikely]]
    return;
  stuck.stats.spares.add();
  lend(stuck.index);
}

void extra_tokens::lend_for_due(worker& computing) noexcept {
  if (of_.orphan() != nullptr) [[unlikely]]
    return;
  of_.shares().ask_for(computing);
  lend(computing.index);
}

/// Recordings name the worker with that index beside the one that gets the token.
void extra_tokens::lend(int index) noexcept {
  const int lent = lent_.fetch_add(1, std::memory_order_relaxed);  // relaxed: only counted
  KASURI_EXPECT(cheap, lent >= 0, "%d tokens are lent, one more for worker %d", lent, index);
  have_sleepers(1);
  lent_for_.store(index, std::memory_order_relaxed);  // relaxed: for recordings
  of_.idle_word().add_token();
  of_.grant_tokens();
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  if (of_.work_visible()) of_.work_is_visible();
  if (spares_used_up()) monitor::get().spares_are_used_up();
}

void extra_tokens::take_token_back() noexcept {
  if (of_.orphan() != nullptr) [[unlikely]]
    return;
  const int before = lent_.fetch_sub(1, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, before > 0, "one of %d lent tokens comes back", before);
  of_.idle_word().remove_token();
  if (of_.idle_word().crowded())
    of_.ask_all();  // fork-join code looks whether it is to step aside when asked
}

void extra_tokens::lend_to_all() noexcept {
  // begin_anew_extra and idle::reset undo both.
  for (int i = 0; i != of_.workers(); ++i) of_.idle_word().add_token();
  // relaxed: before the fence in begin_stop() of sched/pool/pool.cpp
  lent_.fetch_add(of_.workers(), std::memory_order_relaxed);
}

void extra_tokens::leave_tokens_in_child(worker& w) noexcept {
  KASURI_EXPECT(cheap, of_.orphan() == &w, "the pool is left to worker %d, not to worker %d",
                of_.orphan() == nullptr ? -1 : of_.orphan()->index, w.index);
  of_.idle_word().reset_to_one();
  brought_.store(0, std::memory_order_relaxed);
  lent_.store(0, std::memory_order_relaxed);
  w.brought_token_ = false;
}

}  // namespace kasuri::sched
