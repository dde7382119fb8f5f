// SPDX-License-Identifier: Apache-2.0
// Waits of coroutines for a semaphore, a latch, a barrier and a condition variable. Those for a
// mutex, a shared mutex, a channel and a future are with these.

#include <coroutine>
#include <new>
#include <stdexcept>

#include "kasuri/detail/coroutine/waiter.hpp"
#include "kasuri/sync.hpp"
#include "sched/pool/ready.hpp"
#include "task/coroutine/list_record.hpp"
#include "task/coroutine/mutex_record.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

using record::wait_reason;

bool coroutine_access::came(timed_coroutine_waiter& w) noexcept {
  return std::launder(static_cast<task::coroutine_record*>(w.memory()))->came;
}

// ---- semaphore ----------------------------------------------------------------------------------

namespace {

/// Whether there was a unit, which the caller has then. Under the lock, which is let go if so.
bool take_unit(wait_list& l) noexcept {
  if (l.count == 0) return false;
  --l.count;
  task::release(l);
  return true;
}

}  // namespace

bool coroutine_access::acquire(semaphore& s, coroutine_waiter& w,
                               std::coroutine_handle<> c) noexcept {
  wait_list& l = s.waiters_;
  task::acquire(l);
  return !take_unit(l) && task::wait_in(l, task::make_record(w, c, wait_reason::semaphore));
}

bool coroutine_access::acquire(semaphore& s, timed_coroutine_waiter& w, std::coroutine_handle<> c,
                               std::int64_t by) {
  wait_list& l = s.waiters_;
  auto& r = task::make_timed_record(l, w, c, by, wait_reason::semaphore);
  if (s.try_acquire()) return false;
  r.came = task::coroutine_may_wait_until(by);
  if (!r.came) return false;
  task::acquire(l);
  return !take_unit(l) && task::wait_in(l, r);
}

// ---- latch --------------------------------------------------------------------------------------

bool coroutine_access::wait(latch& l, coroutine_waiter& w, std::coroutine_handle<> c) noexcept {
  wait_list& list = l.waiters_;
  task::acquire(list);
  if (list.count != 0) return task::wait_in(list, task::make_record(w, c, wait_reason::latch));
  task::release(list);
  return false;
}

bool coroutine_access::wait(latch& l, timed_coroutine_waiter& w, std::coroutine_handle<> c,
                            std::int64_t by) {
  wait_list& list = l.waiters_;
  auto& r = task::make_timed_record(list, w, c, by, wait_reason::latch);
  if (l.try_wait()) return false;
  r.came = task::coroutine_may_wait_until(by);
  if (!r.came) return false;
  task::acquire(list);
  if (list.count != 0) return task::wait_in(list, r);
  task::release(list);
  return false;
}

bool coroutine_access::arrive(latch& l, coroutine_waiter& w, std::coroutine_handle<> c) {
  wait_list& list = l.waiters_;
  task::acquire(list);
  return !l.arrive() && task::wait_in(list, task::make_record(w, c, wait_reason::latch));
}

// ---- barrier ------------------------------------------------------------------------------------

bool coroutine_access::arrive(barrier& b, coroutine_waiter& w, std::coroutine_handle<> c) noexcept {
  wait_list& l = b.base_.waiters_;
  task::acquire(l);
  return !b.base_.arrive(b.completion_) &&
         task::wait_in(l, task::make_record(w, c, wait_reason::barrier));
}

// ---- condition variable -------------------------------------------------------------------------

namespace {

/// A coroutine that waits for a notification, with the mutex that it takes then.
struct condition_record : mutex_record {
  explicit condition_record(mutex& m) noexcept { of = &m; }
};

/// The same until a time.
struct timed_condition_record : condition_record, task::list_wait {
  timed_condition_record(mutex& m, wait_list& l, sched::steady_ns by) noexcept
      : condition_record(m), list_wait(l, by) {}
};

/// The wait is over: what is left is the mutex.
void take_mutex(mutex_record& r) noexcept {
  if (!coroutine_access::lock(*r.of, r)) r.coroutine.resume();
}

constexpr frame_type notified{[](frame* f) -> suspended* {
                                take_mutex(*static_cast<condition_record*>(f));
                                return nullptr;
                              },
                              false, "coroutine"};

constexpr frame_type notified_or_late{[](frame* f) -> suspended* {
                                        auto& r = *static_cast<timed_condition_record*>(f);
                                        r.list_wait::end();
                                        r.came = !r.is_late;
                                        take_mutex(r);
                                        return nullptr;
                                      },
                                      false, "coroutine"};

/// Unlocked only when the coroutine is in the list: a notification from then on finds it there.
void queue_and_unlock(wait_list& l, condition_record& r) noexcept {
  mutex& held = *r.of;
  task::append(l.last, static_cast<suspended*>(&r));
  held.unlock();
  task::release(l);
}

}  // namespace

void coroutine_access::wait(condition_variable& v, mutex& held, coroutine_waiter& w,
                            std::coroutine_handle<> c) noexcept {
  wait_list& l = v.waiters_;
  auto& r = task::make_record<condition_record>(w, c, wait_reason::condition, notified, held);
  task::acquire(l);
  task::note_list(l, &r);
  queue_and_unlock(l, r);
}

void coroutine_access::wait(condition_variable& v, mutex& held, timed_coroutine_waiter& w,
                            std::coroutine_handle<> c, std::int64_t by) {
  wait_list& l = v.waiters_;
  if (!task::coroutine_may_wait_until(by)) {
    auto& r = task::make_record<condition_record>(w, c, wait_reason::yield, notified, held);
    r.came = false;
    held.unlock();
    return sched::make_ready(&r);  // behind others: a loop around it lets those go on
  }
  auto& r = task::make_record<timed_condition_record>(w, c, wait_reason::condition,
                                                      notified_or_late, held, l, by);
  task::acquire(l);
  task::note_list(l, &r, &r.word);
  r.begin(r);
  queue_and_unlock(l, r);
}

}  // namespace detail
}  // namespace kasuri
