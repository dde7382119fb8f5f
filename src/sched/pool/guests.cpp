// SPDX-License-Identifier: Apache-2.0
// OS threads that call in: they borrow a worker, take a token or wait for one, and leave.

#include "kasuri/numa.hpp"
#include "platform/base/expect.hpp"
#include "record/recorder.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/worker/check.hpp"
#include "sched/worker/os_thread.hpp"
#include "sched/worker/range.hpp"
#include "sched/worker/slot.hpp"

namespace kasuri::sched {

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
  // Where work may lie outside of the process, a sleeper comes and looks there in place of `w`.
  dismiss(w, outside_work().is_open() ? -1 : 0);
  give_worker_back(w);
}

void pool::admit(worker& w, no_token then) {
  KASURI_EXPECT(cheap, w.stats.role == record::worker_role::guest, "worker %d is no guest's",
                w.index);
  check_empty(w);
  adopt_thread(w);
  w.is_home = true;
  if (nodes().size() > 1) w.node = node_index(numa::this_node());
  w.asleep.store(flag::awake, std::memory_order_relaxed);
  if (!idle_word().try_enter()) {
    if (then == no_token::brings_one && guests_may_bring())
      bring_token(w);
    else
      wait_for_token(w);
  }
  w.spends_time_on(record::time_state::work);
  record::emit(w.log, record::event_kind::task_begin, guest_task_of(w));
  w.busy.store(true, std::memory_order_relaxed);
  w.queue.ask();  // so that its first push looks for sleepers
  monitor::get().tokens_changed(counts());
}

void pool::token_is_free(bool claimed) noexcept {
  if (claimed)
    use_claim(nullptr);
  else if (work_visible())  // behind the fence of leave: what was sent while there was no token
    anybody_may_come();
  wake_who_has_work();
  if (counts().waiting != 0) grant_tokens();
}

bool pool::give_token_up(worker& w) noexcept {
  const bool brought = w.brought_token_;
  shares_.end(w);
  if (brought) {
    take_brought_token_away(w);
    real_atomics::fence_full();  // pairs with the one in waker::deliver, as that of leave does
    return true;
  }
  have_sleepers(1);
  const bool claimed = idle_word().leave(outside_work().is_open() ? -1 : 0);
  have_sleepers(0);  // two that leave at once may each have counted on one sleeper
  token_is_free(claimed);
  return false;
}

void pool::come_back(worker& w, bool brings_one) {
  if (brings_one)
    bring_token(w);
  else if (!idle_word().try_enter())
    wait_for_token(w);
  monitor::get().tokens_changed(counts());
}

void pool::wait_for_token(worker& w) noexcept {
  w.granted_.store(0, std::memory_order_relaxed);
  while (!queue_for_token(w, worker::wish::enter))
    if (idle_word().try_enter()) return;
  ask_all();
  monitor::get().tokens_changed(counts());
  wait_for_grant(w);
  KASURI_EXPECT(cheap, counts().active != 0, "worker %d has a token of %u", w.index,
                counts().active);
  shares_.begin_if_asked(w);
}

void pool::dismiss(worker& w, int quiet) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.range == nullptr && w.next_range == nullptr,
                "worker %d leaves with range %p and next %p, by worker %d", w.index,
                static_cast<void*>(w.range), static_cast<void*>(w.next_range), index_of_caller());
  KASURI_EXPECT(cheap, w.face.arena == nullptr, "worker %d leaves with a permit of %p", w.index,
                static_cast<void*>(w.face.arena));
  w.is_home = false;
  settle_tally(w);
  if (w.measures != nullptr) [[unlikely]]
    end_own_code(w);
  w.others_wait_since_ = 0;
  while (detail::frame* f = w.queue.pop()) send(f);
  w.queue.rewind();
  while (detail::frame* f = w.ready.take()) send(f);
  forward_mail_of(w);
  leave_forks(w);
  give_slot_back(w);
  check_empty(w);
  w.busy.store(false, std::memory_order_relaxed);
  record::emit(w.log, record::event_kind::task_end, guest_task_of(w));
  w.spends_time_on(record::time_state::detached);
  shares_.end(w);
  if (w.brought_token_) {  // no token comes free by that, so nobody is to be woken
    take_brought_token_away(w);
    release_thread(w);
    return;
  }
  release_thread(w);
  token_is_free(idle_word().leave(quiet));
}

}  // namespace kasuri::sched
