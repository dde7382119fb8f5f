// SPDX-License-Identifier: Apache-2.0
// The shared mutex: a wait list and a number. A thread that lets it go gives it to those who have
// waited longest, so nobody who comes finds it free while others wait.
//
// Rejected: a word that readers count in without the lock, as the mutex has one. It wins where many
// workers read for some instructions at a time, and they had better not lock at all there.

#include "kasuri/shared_mutex.hpp"

#include <coroutine>

#include "kasuri/detail/coroutine/waiter.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "sched/pool/pool.hpp"
#include "task/coroutine/list_record.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {

using detail::suspended;
using detail::wait_list;
using record::wait_reason;
using sched::verdict;
using task::holding;

namespace {

constexpr std::uint32_t exclusive = UINT32_MAX;  // the count while one thread holds it so

bool is_free(const wait_list& l, bool shared) noexcept {
  return l.last == nullptr && (shared ? l.count < exclusive - 1 : l.count == 0);
}

void take(wait_list& l, bool shared) noexcept { l.count = shared ? l.count + 1 : exclusive; }

/// Whether the caller has it now, and has let the lock go. Under the lock.
bool take_if_free(wait_list& l, bool shared) noexcept {
  if (!is_free(l, shared)) return false;
  take(l, shared);
  task::release(l);
  return true;
}

wait_reason reason_of(bool shared) noexcept {
  return shared ? wait_reason::shared_lock : wait_reason::exclusive_lock;
}

/// Gives it to the oldest waiters that may hold it now. Under the lock. Returns them as a chain.
suspended* give(wait_list& l) noexcept {
  suspended* served = nullptr;
  sched::take_judged(
      l.last, SIZE_MAX,
      [&l](const suspended& s) {
        const bool shared = s.reason == wait_reason::shared_lock;
        if (shared ? l.count >= exclusive - 1 : l.count != 0) return verdict::stop;
        const verdict v = task::judge(s.timed);
        if (v == verdict::take) take(l, shared);
        return v;
      },
      [&served](suspended& s) { task::append(served, &s); });
  return sched::take_all(served);
}

void lock(wait_list& l, bool shared) {
  task::acquire(l);
  if (!take_if_free(l, shared)) task::suspend_on(l, reason_of(shared));
}

bool try_lock(wait_list& l, bool shared) noexcept {
  const holding hold(l);
  if (!is_free(l, shared)) return false;
  take(l, shared);
  return true;
}

bool try_lock_by(wait_list& l, bool shared, sched::steady_ns by) {
  if (try_lock(l, shared)) return true;
  if (by == sched::never) return lock(l, shared), true;
  if (!task::may_wait_until(by)) return false;
  task::acquire(l);
  if (take_if_free(l, shared)) return true;
  task::list_wait wait(l, by);
  wait.after = give;  // those behind it may be readers that only it kept waiting
  return task::suspend_on(wait, reason_of(shared));
}

void unlock(wait_list& l, bool shared) noexcept {
  suspended* next = nullptr;
  {
    const holding hold(l);
    if (shared ? l.count == 0 || l.count == exclusive : l.count != exclusive)
      platform::fatal("shared_mutex::%s: nobody holds it %s", shared ? "unlock_shared" : "unlock",
                      shared ? "shared" : "exclusively");
    l.count = shared ? l.count - 1 : 0;
    if (l.count == 0) next = give(l);
  }
  sched::make_all_ready(next);
}

}  // namespace

void shared_mutex::lock() { kasuri::lock(waiters_, false); }
bool shared_mutex::try_lock() noexcept { return kasuri::try_lock(waiters_, false); }
bool shared_mutex::try_lock_by(std::int64_t by) { return kasuri::try_lock_by(waiters_, false, by); }
void shared_mutex::unlock() noexcept { kasuri::unlock(waiters_, false); }

void shared_mutex::lock_shared() { kasuri::lock(waiters_, true); }
bool shared_mutex::try_lock_shared() noexcept { return kasuri::try_lock(waiters_, true); }
bool shared_mutex::try_lock_shared_by(std::int64_t by) {
  return kasuri::try_lock_by(waiters_, true, by);
}
void shared_mutex::unlock_shared() noexcept { kasuri::unlock(waiters_, true); }

bool shared_mutex::is_idle() noexcept {
  const holding hold(waiters_);
  return waiters_.last == nullptr && waiters_.count == 0;
}

// ---- coroutines ---------------------------------------------------------------------------------

bool detail::coroutine_access::lock(shared_mutex& m, bool shared, coroutine_waiter& w,
                                    std::coroutine_handle<> c) noexcept {
  wait_list& l = m.waiters_;
  task::acquire(l);
  return !take_if_free(l, shared) && task::wait_in(l, task::make_record(w, c, reason_of(shared)));
}

bool detail::coroutine_access::lock(shared_mutex& m, bool shared, timed_coroutine_waiter& w,
                                    std::coroutine_handle<> c, std::int64_t by) {
  wait_list& l = m.waiters_;
  auto& r = task::make_timed_record(l, w, c, by, reason_of(shared));
  r.after = give;  // as above
  if (kasuri::try_lock(l, shared)) return false;
  r.came = task::coroutine_may_wait_until(by);
  if (!r.came) return false;
  task::acquire(l);
  return !take_if_free(l, shared) && task::wait_in(l, r);
}

}  // namespace kasuri
