// SPDX-License-Identifier: Apache-2.0
// Waits with a time for a result. Nothing leaves the word of a result before its end
// (sched/kernel/result_word.hpp), so the threads do not stand there: the first of them puts a
// callback there, once for the result, and all wait in the callback's list.
//
// The watch has two owners: the record of the result, and the callback until it has been called.

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <new>

#include "kasuri/detail/flow/callback.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
#include "kasuri/detail/wait_list.hpp"
#include "kasuri/future.hpp"
#include "sched/kernel/result_word.hpp"
#include "sched/measure/measured.hpp"
#include "sched/run/suspend.hpp"
#include "task/coroutine/list_record.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct timed_watch : callback {
  timed_watch() noexcept : callback{0, result_is_there} { waiters.count = 1; }
  [[gnu::visibility("hidden")]] static std::uintptr_t result_is_there(callback* self) noexcept;

  wait_list waiters;  // count: 0 when the result is there
  std::atomic<std::uint32_t> owners{2};
};

namespace {

bool has_ended(const frame* task) noexcept {
  // acquire: pairs with the exchange in end of result_word.hpp: the result is there
  return sched::result_word::is_end(task->join_word().load(std::memory_order_acquire));
}

/// The watch of a task, made where it is the first; null: the task has ended. Throws
/// std::bad_alloc.
timed_watch* watch_of(frame* task, std::atomic<timed_watch*>& watch) {
  // acquire: pairs with the exchange below: the watch is whole
  if (timed_watch* const known = watch.load(std::memory_order_acquire)) return known;
  auto* const fresh = new timed_watch;
  timed_watch* known = nullptr;
  // acq_rel: pairs with itself and the load above
  if (!watch.compare_exchange_strong(known, fresh, std::memory_order_acq_rel,
                                     std::memory_order_acquire)) {
    delete fresh;
    return known;
  }
  if (on_ready(task, fresh)) return fresh;
  timed_watch::result_is_there(fresh);  // for those who wait in it by now
  return nullptr;
}

bool wait_in(timed_watch& w, sched::steady_ns by, early_end* early) {
  task::acquire(w.waiters);
  if (w.waiters.count != 0) {
    task::list_wait wait(w.waiters, by, early);
    return task::suspend_on(wait, record::wait_reason::future);
  }
  task::release(w.waiters);
  return true;
}

}  // namespace

bool coroutine_access::wait(frame* task, std::atomic<timed_watch*>& watch,
                            timed_coroutine_waiter& w, std::coroutine_handle<> c, std::int64_t by) {
  if (!task::coroutine_may_wait_until(by)) {
    auto& r = task::make_record(w, c, record::wait_reason::yield);
    r.came = false;
    sched::make_ready(&r);  // behind others: a loop around it lets those go on
    return true;
  }
  timed_watch* const of = watch_of(task, watch);
  if (of == nullptr) {
    task::make_record(w, c, record::wait_reason::future);
    return false;
  }
  auto& r = task::make_timed_record(of->waiters, w, c, by, record::wait_reason::future);
  task::acquire(of->waiters);
  if (of->waiters.count != 0) return task::wait_in(of->waiters, r);
  task::release(of->waiters);
  return false;
}

std::uintptr_t timed_watch::result_is_there(callback* self) noexcept {
  auto* const w = static_cast<timed_watch*>(self);
  suspended* all;
  {
    const task::holding hold(w->waiters);
    w->waiters.count = 0;
    all = task::take_all(w->waiters);
  }
  sched::make_all_ready(all);
  drop_watch(w);
  return 0;
}

void drop_watch(timed_watch* watch) noexcept {
  // acq_rel: pairs with itself: the last owner sees what the other did
  if (watch->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete watch;
}

bool wait_for_future_until(frame* task, std::atomic<timed_watch*>& watch, std::int64_t by,
                           early_end* early) {
  if (by == sched::never && early == nullptr) return wait_for_future(task), true;
  if (!task::may_wait_until(by)) {
    sched::yield();
    return has_ended(task);
  }
  timed_watch* const w = watch_of(task, watch);
  if (w == nullptr) return true;
  sched::measured_wait measured;
  const bool woken = wait_in(*w, by, early);
  if (woken) measured.is_over(task);
  return woken || has_ended(task);
}

}  // namespace detail
}  // namespace kasuri
