// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <coroutine>
#include <cstdint>
#include <new>

#include "kasuri/detail/flow/channel_core.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/kernel/timed_word.hpp"
#include "sched/run/suspend.hpp"
#include "sched/time/timed_wait.hpp"
#include "task/coroutine/record.hpp"
#include "task/flow/channel_queue.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// A thread that waits for room or for a message.
struct channel_waiter {
  message* what;
  channel_waiter* next = nullptr;
  suspended* thread = nullptr;
  /// The word of a wait that may end by its time; null: only a waker ends it.
  std::atomic<std::uint32_t>* timed = nullptr;
  /// Whether it, or one that was older when it came, may end by its time.
  bool some_timed = false;
};

namespace {

using record::wait_reason;
using task::holding;
namespace queue = task::channel_queue;

/// On the stack of a thread that waits.
struct channel_wait : sched::timed_wait {
  channel_wait(channel_state& s, message* m, std::int64_t by, early_end* or_by) noexcept
      : timed_wait(by, time_has_come), of(s), waiter{m} {
    leave = take_out;
    early = or_by;
    if (by != sched::never || or_by != nullptr) waiter.timed = &word;
  }

  static frame* time_has_come(timer& t) noexcept {
    auto& w = static_cast<channel_wait&>(t);
    return sched::timed_word::time_is_over(w.word) ? w.end_by_time() : nullptr;
  }
  static void take_out(timed_wait& t) noexcept {
    auto& w = static_cast<channel_wait&>(t);
    task::leave_list(w.of, w.waiter, queue::word_of<channel_waiter>, [] {});
  }
  static bool publish(void* arg, suspended* thread) noexcept;

  channel_state& of;
  channel_waiter waiter;
  std::atomic<std::uint32_t> word{sched::timed_word::waits};
};

/// The thread has left its stack. The wait may be over, and its record gone, once the lock is let
/// go.
bool channel_wait::publish(void* arg, suspended* thread) noexcept {
  auto& w = *static_cast<channel_wait*>(arg);
  channel_state& s = w.of;
  thread->on = &s;  // it is the first member of its channel
  thread->timed = w.waiter.timed;
  w.waiter.thread = thread;
  w.waiter.some_timed = w.waiter.timed != nullptr || !queue::only_wakers(s);
  sched::append(s.last, &w.waiter);
  if (w.waiter.timed != nullptr) w.begin(*thread);
  task::release(s);
  return true;
}

/// The caller holds the lock, which is let go. Returns when another thread has taken the record
/// out, or the wait has ended by itself: what the record has for the caller then. Throws
/// std::bad_alloc. Not inlined: what does not wait stays small.
[[gnu::noinline]] message* wait(channel_state& s, message* m, wait_reason reason, std::int64_t by,
                                early_end* early) {
  channel_wait w(s, m, by, early);
  const bool waited = w.waiter.timed == nullptr
                          ? sched::try_suspend(reason, channel_wait::publish, &w)
                          : sched::try_suspend(reason, channel_wait::publish, &w, w);
  if (waited) [[likely]]
    return w.waiter.what;
  task::release(s);
  throw std::bad_alloc();
}

void wake(channel_waiter* w) noexcept {
  if (w != nullptr) sched::make_ready(w->thread);
}

/// The end of an operation under the lock. `woken` may be null.
void let_go_and_wake(channel_state& s, channel_waiter* woken) noexcept {
  if (woken != nullptr) queue::let_leave(s);
  task::release(s);
  wake(woken);
}

}  // namespace

bool channel_core::send(message* m, std::int64_t by, early_end* early) {
  const bool may_wait = task::may_wait_until(by);
  channel_waiter* woken;
  task::acquire(state_);
  if (state_.closed) {
    task::release(state_);
    return false;
  }
  if (queue::send(state_, m, woken) == queue::outcome::done) {
    let_go_and_wake(state_, woken);
    return true;
  }
  if (!may_wait) {
    task::release(state_);
    return false;
  }
  return wait(state_, m, wait_reason::channel_send, by, early) == nullptr;
}

bool channel_core::try_send(message* m) noexcept {
  channel_waiter* woken = nullptr;
  task::acquire(state_);
  const bool sent = !state_.closed && queue::send(state_, m, woken) == queue::outcome::done;
  let_go_and_wake(state_, woken);
  return sent;
}

message* channel_core::receive(std::int64_t by, early_end* early) {
  const bool may_wait = task::may_wait_until(by);
  channel_waiter* woken;
  message* m;
  task::acquire(state_);
  if (queue::receive(state_, m, woken) == queue::outcome::done || state_.closed || !may_wait) {
    let_go_and_wake(state_, woken);
    return m;
  }
  return wait(state_, nullptr, wait_reason::channel_receive, by, early);
}

message* channel_core::try_receive() noexcept {
  channel_waiter* woken;
  message* m;
  task::acquire(state_);
  queue::receive(state_, m, woken);
  let_go_and_wake(state_, woken);
  return m;
}

void channel_core::close() noexcept {
  task::acquire(state_);
  channel_waiter* all = queue::close(state_);
  queue::let_leave(state_);
  task::release(state_);
  while (all != nullptr) {
    channel_waiter* const w = all;
    all = w->next;  // before the thread may go on and be gone
    wake(w);
  }
}

bool channel_core::is_closed() noexcept {
  const holding hold(state_);
  return state_.closed;
}

std::size_t channel_core::size() noexcept {
  const holding hold(state_);
  return state_.count;
}

bool channel_core::is_idle() noexcept {
  const holding hold(state_);
  return state_.last == nullptr;
}

message* channel_core::take_all() noexcept {
  const holding hold(state_);
  state_.count = 0;
  return sched::take_all(state_.last_message);
}

// ---- coroutines ---------------------------------------------------------------------------------

namespace {

/// A coroutine that waits for room or for a message, or has not had to.
struct channel_coroutine : task::coroutine_record {
  channel_waiter waiter;
};

/// Stands in the list from here on, and the lock is let go.
bool wait_in(channel_state& s, channel_coroutine& c) noexcept {
  c.on = &s;
  c.waiter.thread = &c;
  c.waiter.some_timed = !queue::only_wakers(s);
  sched::append(s.last, &c.waiter);
  task::release(s);
  return true;
}

}  // namespace

bool coroutine_access::send(channel_core& to, message* m, coroutine_waiter& w,
                            std::coroutine_handle<> c) noexcept {
  auto& me = task::make_record<channel_coroutine>(w, c, wait_reason::channel_send);
  me.waiter = {m};
  channel_state& s = to.state_;
  channel_waiter* woken = nullptr;
  task::acquire(s);
  if (!s.closed) {
    if (queue::send(s, m, woken) != queue::outcome::done) return wait_in(s, me);
    me.waiter.what = nullptr;
  }
  let_go_and_wake(s, woken);
  return false;
}

bool coroutine_access::receive(channel_core& from, coroutine_waiter& w,
                               std::coroutine_handle<> c) noexcept {
  auto& me = task::make_record<channel_coroutine>(w, c, wait_reason::channel_receive);
  me.waiter = {nullptr};
  channel_state& s = from.state_;
  channel_waiter* woken;
  task::acquire(s);
  if (queue::receive(s, me.waiter.what, woken) != queue::outcome::done && !s.closed)
    return wait_in(s, me);
  let_go_and_wake(s, woken);
  return false;
}

message* coroutine_access::message_of(coroutine_waiter& w) noexcept {
  return std::launder(static_cast<channel_coroutine*>(w.memory()))->waiter.what;
}

}  // namespace detail
}  // namespace kasuri
