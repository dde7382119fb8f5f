// SPDX-License-Identifier: Apache-2.0
// The threads that may run: guests take a token or wait for one, workers step aside for them, and
// tokens are lent for threads that are blocked or stuck. The counts themselves are in
// kernel/idle.hpp.

#include "kasuri/numa.hpp"
#include "platform/clock.hpp"
#include "platform/fatal.hpp"
#include "platform/park.hpp"
#include "record/recorder.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/worker/os_thread.hpp"
#include "sched/worker/range.hpp"
#include "sched/worker/slot.hpp"

namespace kasuri::sched {

// ---- guests -----------------------------------------------------------------------------------

worker& pool::borrow_worker() {
  {
    const std::lock_guard hold(slots_lock_);
    if (!free_guests_.empty()) {
      worker* w = free_guests_.back();
      free_guests_.pop_back();
      w->bound_to = -1;
      return *w;
    }
  }
  return *add_worker(record::worker_role::guest);
}

namespace {

/// The record shows the stay of a guest inside as this task.
std::uint64_t guest_task_of(const worker& w) noexcept {
  return reinterpret_cast<std::uintptr_t>(&w.native_stack);
}

}  // namespace

worker& pool::enter() {
  worker& w = borrow_worker();
  admit(w);
  return w;
}

void pool::leave(worker& w) noexcept {
  dismiss(w);
  give_worker_back(w);
}

void pool::admit(worker& w, no_token then) {
  adopt_thread(w);
  if (nodes_.size() > 1) w.node = node_index(numa::this_node());
  w.asleep.store(flag::awake, std::memory_order_relaxed);
  if (!idle_.try_enter()) {
    if (then == no_token::brings_one && guests_may_bring_tokens_)
      bring_token(w);
    else
      wait_for_token(w);
  }
  w.spends_time_on(record::time_state::work);
  record::emit(w.log, record::event_kind::task_begin, guest_task_of(w));
  w.busy.store(true, std::memory_order_relaxed);
  w.queue.ask();  // so that its first push looks for sleepers
  monitor::get().tokens_changed(idle_.counts());
}

void pool::bring_token(worker& w) noexcept {
  w.brought_token_ = true;
  brought_.fetch_add(1, std::memory_order_relaxed);
  idle_.enter_with_token();
}

void pool::take_brought_token_away(worker& w) noexcept {
  w.brought_token_ = false;
  idle_.leave_with_token();
  brought_.fetch_sub(1, std::memory_order_relaxed);
}

void pool::wait_for_token(worker& w) noexcept {
  w.granted_.store(0, std::memory_order_relaxed);
  while (!queue_for_token(w, worker::wish::enter))
    if (idle_.try_enter()) return;
  ask_all();
  monitor::get().tokens_changed(idle_.counts());
  // acquire: pairs with the release in grant_tokens
  while (w.granted_.load(std::memory_order_acquire) == 0) platform::park(w.granted_, 0);
  shares_.begin_if_asked(w);
}

void pool::grant_tokens() noexcept {
  while (idle_.grant()) {
    worker* w;
    worker::wish wish;
    {
      const std::lock_guard hold(waiting_lock_);
      if (waiting_.empty()) [[unlikely]] {
        const idle_counts c = idle_.counts();
        platform::fatal(
            "internal error: a token for nobody (active %u, searching %u, sleeping %u, "
            "waiting %u, limit %u)",
            c.active, c.searching, c.sleeping, c.waiting, c.limit);
      }
      w = waiting_.front();
      waiting_.pop_front();
      wish = w->wants_token_.load(std::memory_order_relaxed);
      w->wants_token_.store(worker::wish::none, std::memory_order_relaxed);
    }
    if (wish == worker::wish::enter) {
      // release: pairs with the acquire in wait_for_token
      w->granted_.store(1, std::memory_order_release);
      platform::unpark(w->granted_, 1);
    } else if (wish == worker::wish::go_home) {
      wake_granted(*w);
    } else if (idle_.leave()) {
      use_claim();
    }
  }
}

/// The token just granted is for a sleeper, unless another claim has woken it since it queued.
void pool::wake_granted(worker& w) noexcept {
  for (unsigned n = 0; w.asleep.load(std::memory_order_relaxed) != flag::awake; ++n) {
    if (idle_.sleeper_was_granted()) {
      use_claim_on(w);
      return;
    }
    real_atomics::backoff(n);  // all sleepers are claimed, this one too
  }
  if (idle_.leave()) use_claim();
}

void pool::dismiss(worker& w, int quiet) noexcept {
  settle_tally(w);
  w.others_wait_since_ = 0;
  while (detail::frame* f = w.queue.pop()) send(f);
  w.queue.rewind();
  while (detail::frame* f = w.ready.take()) send(f);
  bool moved = false;
  for (letter l; w.box.take(l); moved = true) inbox_.put(l);
  if (moved) {
    real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
    work_is_visible();
  }
  leave_forks(w);
  give_slot_back(w);
  w.busy.store(false, std::memory_order_relaxed);  // relaxed: a hint for the monitor
  record::emit(w.log, record::event_kind::task_end, guest_task_of(w));
  w.spends_time_on(record::time_state::detached);
  shares_.end(w);
  if (w.brought_token_) {  // no token comes free by that, so nobody is to be woken
    take_brought_token_away(w);
    release_thread(w);
    return;
  }
  release_thread(w);
  if (idle_.leave(quiet))
    use_claim();
  else if (work_visible())  // behind the fence of leave: what was sent while there was no token
    work_is_visible();
  wake_who_has_work();
  if (idle_.counts().waiting != 0) grant_tokens();
}

void pool::give_worker_back(worker& w) noexcept {
  const std::lock_guard hold(slots_lock_);
  free_guests_.push_back(&w);
}

bool pool::must_step_aside(worker& w) const noexcept {
  const idle_counts c = idle_.counts();
  if (c.waiting == 0) [[likely]]
    w.others_wait_since_ = 0;
  if (c.active > c.limit) return true;
  if (c.waiting == 0) return false;
  const std::uint64_t now = platform::ticks();
  if (w.others_wait_since_ == 0) w.others_wait_since_ = now;
  return now - w.others_wait_since_ >= ticks_.slice;
}

/// False, and nothing queued, when there is a token now.
bool pool::queue_for_token(worker& w, worker::wish wish) noexcept {
  const std::lock_guard hold(waiting_lock_);
  // A guest may have been woken by another, have left, and be queued to enter since the caller
  // looked: its wish must stand.
  if (wish == worker::wish::go_home && w.asleep.load(std::memory_order_relaxed) == flag::awake)
    return true;
  if (!idle_.start_waiting()) return false;
  w.wants_token_.store(wish, std::memory_order_relaxed);
  waiting_.push_back(&w);
  return true;
}

// ---- tokens lent --------------------------------------------------------------------------------

void pool::blocking_begin(worker& w) noexcept {
  w.queue.publish_all();
  record::emit(w.log, record::event_kind::blocking_begin);
  w.spends_time_on(record::time_state::blocked);
  w.busy.store(false, std::memory_order_relaxed);
  lend_token(w);
}

void pool::blocking_end(worker& w) noexcept {
  w.busy.store(true, std::memory_order_relaxed);
  w.tick();
  take_token_back();
  w.spends_time_on(record::time_state::work);
  record::emit(w.log, record::event_kind::blocking_end);
}

/// A worker for which the system had no thread may be tried once more. False: there is none such.
bool pool::revive_one() noexcept {
  for (int i = 0, n = workers(); i != n; ++i) {
    worker* const w = at(i);
    if (w == nullptr || !w->gone.load(std::memory_order_relaxed)) continue;
    if (!w->gone.exchange(false, std::memory_order_relaxed)) continue;
    w->asleep.store(flag::threadless, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void pool::lend_token(worker& stuck) noexcept {
  if (orphan_ != nullptr) [[unlikely]]
    return;
  const idle_counts c = idle_.counts();
  const int lent = lent_.fetch_add(1, std::memory_order_relaxed);  // relaxed: only counted
  if (c.sleeping == 0 && lent < most_spares_) {
    if (!revive_one()) add_worker(record::worker_role::spare);
    idle_.add_sleeper();
  }
  stuck.stats.spares.add();
  lent_for_.store(stuck.index, std::memory_order_relaxed);  // relaxed: for recordings
  idle_.add_token();
  grant_tokens();
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  if (work_visible()) work_is_visible();
  if (spares_used_up()) monitor::get().spares_are_used_up();
}

void pool::take_token_back() noexcept {
  if (orphan_ != nullptr) [[unlikely]]
    return;
  lent_.fetch_sub(1, std::memory_order_relaxed);
  idle_.remove_token();
  if (idle_.crowded()) ask_all();  // fork-join code looks whether it is to step aside when asked
}

}  // namespace kasuri::sched
