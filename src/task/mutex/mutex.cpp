// SPDX-License-Identifier: Apache-2.0
// The mutex. One word holds its state (mutex_word.hpp), `last_` the waiters. No memory for the
// stack that it takes to wait: known before the word is changed. A thread that comes throws; one
// that was woken and lost looks until it finds the mutex free.

#include <coroutine>
#include <new>
#include <optional>
#include <utility>

#include "kasuri/sync.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "profile/base/active.hpp"
#include "sched/pool/pool.hpp"
#include "task/coroutine/list_record.hpp"
#include "task/coroutine/mutex_record.hpp"
#include "task/coroutine/record.hpp"
#include "task/mutex/mutex_sums.hpp"
#include "task/mutex/mutex_word.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace {

using detail::real_atomics;
namespace mutex_word = task::mutex_word;

// Looks before a thread goes to wait: the holder is often in the middle of a few instructions.
constexpr int short_wait = 32;

/// Whether the holder can run while we look.
bool others_run() noexcept {
  const sched::worker* w = sched::current();
  return w == nullptr || w->home->configured() > 1;
}

/// The list, as unlock_slow uses it.
struct waiters {
  detail::suspended*& last;
  bool skipped = false;

  detail::suspended* take_first() noexcept {
    KASURI_EXPECT(cheap, last != nullptr && last->reason == record::wait_reason::mutex,
                  "the youngest waiter is %p, for the reason %d", static_cast<void*>(last),
                  last == nullptr ? -1 : static_cast<int>(last->reason));
    for (;; skipped = true) {
      detail::suspended* const first = task::take_first(last);
      if (first == nullptr || first->timed == nullptr) return first;
      if (sched::timed_word::claim_or_drop(*first->timed)) return first;
    }
  }
  bool has_skipped() const noexcept { return skipped; }
  bool empty() const noexcept { return last == nullptr; }
  [[noreturn]] static void not_locked() noexcept {
    platform::fatal("mutex::unlock: the mutex is not locked");
  }
};

}  // namespace

/// A thread on its way to the mutex, as lock_slow uses it.
struct mutex::arrival {
  mutex& m;
  int looks;
  bool in_front = false;

  bool looks_again() noexcept { return looks > 0 && looks-- != 0; }
  static bool is_late() noexcept { return false; }
  static bool can_wait(bool again) {
    if (sched::can_suspend_alone()) [[likely]]
      return true;
    if (!again) throw std::bad_alloc();
    return false;  // the others wait for this thread to try
  }
  mutex_word::end_of_wait wait(bool again) noexcept {
    in_front = again;
    sched::suspend(record::wait_reason::mutex, queue, this);
    return mutex_word::end_of_wait::wake;
  }
};

/// Puts `s`, whose thread or coroutine has left, into the list. It may go on, and its record be
/// gone, before the call returns.
void mutex::stand_in_list(detail::suspended* s, bool in_front) noexcept {
  s->on = this;
  s->held_by = &holder_;
  s->timed = nullptr;
  if (in_front)
    task::prepend(last_, s);
  else
    task::append(last_, s);
  constexpr std::uint32_t held = mutex_word::locked | mutex_word::guard | mutex_word::waiting;
  KASURI_EXPECT(cheap, (word_.load(std::memory_order_relaxed) & held) == held,
                "thread %p has queued, the word is %u", static_cast<void*>(s),
                word_.load(std::memory_order_relaxed));
  mutex_word::end_of_queueing(word_);
}

/// The arrival lies on the stack that has been left, and may go on once it is in the list.
bool mutex::queue(void* arg, detail::suspended* s) noexcept {
  const arrival a = *static_cast<arrival*>(arg);
  a.m.stand_in_list(s, a.in_front);
  return true;
}

/// The same for a thread that waits until a time, as lock_slow uses it.
struct mutex::timed_arrival {
  /// One wait.
  struct waiting : sched::timed_wait {
    waiting(mutex& object, sched::steady_ns by, bool in_front) noexcept
        : timed_wait(by, time_has_come), m(object), again(in_front) {
      leave = leave_list;
    }
    static detail::frame* time_has_come(timer& t) noexcept {
      auto& w = static_cast<waiting&>(t);
      return sched::timed_word::time_is_over(w.state) ? w.end_by_time() : nullptr;
    }
    static void leave_list(timed_wait& t) noexcept {
      auto& w = static_cast<waiting&>(t);
      w.has_mutex = mutex_word::leave<real_atomics>(w.m.word_, w, w.again);
    }
    [[gnu::visibility("hidden")]] static bool queue(void* arg, detail::suspended* s) noexcept;

    // The list, as leave uses it.
    bool take_out() noexcept {
      if (!sched::timed_word::stands_in_list(state)) return false;
      sched::take_where(
          m.last_, 1, [this](const detail::suspended& s) { return &s == thread; },
          [](detail::suspended&) {});
      return true;
    }
    bool empty() const noexcept { return m.last_ == nullptr; }

    std::atomic<std::uint32_t> state{sched::timed_word::waits};
    mutex& m;
    const bool again;
    bool has_mutex = false;
  };

  mutex& m;
  sched::steady_ns by;
  int looks;

  bool looks_again() noexcept { return looks > 0 && looks-- != 0; }
  bool is_late() const noexcept { return by <= sched::steady_now(); }
  static bool can_wait(bool again) { return arrival::can_wait(again); }
  mutex_word::end_of_wait wait(bool again) noexcept {
    waiting w(m, by, again);
    if (!sched::try_suspend(record::wait_reason::mutex, waiting::queue, &w, w))
      sched::no_memory_for_stack();  // can_wait has seen that there is some
    if (!w.is_late) return mutex_word::end_of_wait::wake;
    return w.has_mutex ? mutex_word::end_of_wait::late_in : mutex_word::end_of_wait::late;
  }
};

bool mutex::timed_arrival::waiting::queue(void* arg, detail::suspended* s) noexcept {
  auto& w = *static_cast<waiting*>(arg);
  mutex& object = w.m;
  s->on = &object;
  s->held_by = &object.holder_;
  s->timed = &w.state;
  if (w.again)
    task::prepend(object.last_, s);
  else
    task::append(object.last_, s);
  w.begin(*s);  // a thread whose time is over waits for the guard
  mutex_word::end_of_queueing(object.word_);
  return true;
}

bool mutex::try_lock_by(std::int64_t by) {
  if (try_lock()) return true;
  if (by == sched::never) return lock(), true;
  if (!task::may_wait_until(by)) return false;
  timed_arrival me{*this, by, others_run() ? short_wait : 0};
  const std::uint64_t since = profile::active() ? platform::ticks() : 0;
  if (!mutex_word::lock_slow<real_atomics>(word_, me)) return false;
  if (since != 0) [[unlikely]]
    task::mutex_was_waited_for(this, __builtin_return_address(0), since);
  holder_.is_caller();
  return true;
}

bool mutex::try_lock() noexcept {
  static_assert(locked == mutex_word::locked);
  if (!mutex_word::try_lock(word_)) return false;
  holder_.is_caller();
  return true;
}

void mutex::lock_slow() {
  arrival me{*this, others_run() ? short_wait : 0};
  const std::uint64_t since = profile::active() ? platform::ticks() : 0;
  const bool has_it = mutex_word::lock_slow<real_atomics>(word_, me);
  KASURI_EXPECT(cheap, has_it, "a wait without a time gave up, the word is %u",
                word_.load(std::memory_order_relaxed));
  if (since != 0) [[unlikely]]
    task::mutex_was_waited_for(this, __builtin_return_address(0), since);
}

void mutex::unlock_slow() noexcept {
  if (profile::active()) [[unlikely]]
    task::awaited_mutex_is_given(this, __builtin_return_address(0));
  waiters list{last_};
  if (detail::suspended* const first = mutex_word::unlock_slow<real_atomics>(word_, list))
    sched::make_ready(first);
}

// ---- coroutines ----------------------------------------------------------------------------

/// Whether the coroutine has the mutex; else it stands in the list.
bool mutex::lock_or_wait(detail::suspended& s, bool again) noexcept {
  struct {
    mutex& m;
    detail::suspended& s;
    int looks;

    bool looks_again() noexcept { return looks > 0 && looks-- != 0; }
    static bool is_late() noexcept { return false; }
    static bool can_wait(bool) noexcept { return true; }  // it needs no stack
    void wait(bool in_front) noexcept { m.stand_in_list(&s, in_front); }
  } me{*this, s, others_run() ? short_wait : 0};
  return mutex_word::lock_or_wait<real_atomics>(word_, me, again) == mutex_word::look::has_mutex;
}

bool detail::coroutine_access::try_lock(mutex& m) noexcept {
  if (!mutex_word::try_lock(m.word_)) return false;
  m.holder_.is_coroutine();
  return true;
}

bool detail::coroutine_access::lock(mutex& m, mutex_record& r) noexcept {
  static constexpr frame_type kind{[](frame* f) -> suspended* {
                                     auto& a = *static_cast<mutex_record*>(f);
                                     // A second wake means that it has the mutex.
                                     const bool has_it = std::exchange(a.woken_before, true) ||
                                                         a.of->lock_or_wait(a, true);
                                     if (!has_it) return nullptr;
                                     a.of->holder_.is_coroutine();
                                     a.coroutine.resume();
                                     return nullptr;
                                   },
                                   false, "coroutine"};
  r.type = &kind;
  r.reason = record::wait_reason::mutex;
  r.of = &m;
  r.woken_before = false;
  if (!m.lock_or_wait(r, false)) return true;
  m.holder_.is_coroutine();
  return false;
}

bool detail::coroutine_access::lock(mutex& m, coroutine_waiter& w,
                                    std::coroutine_handle<> c) noexcept {
  return lock(m, task::make_record<mutex_record>(w, c, record::wait_reason::mutex));
}

/// A coroutine that waits until a time, as lock_or_wait uses it.
struct mutex::timed_coroutine : detail::mutex_record {
  timed_coroutine(mutex& m, sched::steady_ns at) noexcept : by(at) { of = &m; }

  bool looks_again() noexcept { return looks > 0 && looks-- != 0; }
  bool is_late() const noexcept { return by <= sched::steady_now(); }
  static bool can_wait(bool) noexcept { return true; }  // it needs no stack
  /// It may go on before the call returns.
  void wait(bool again) noexcept {
    current.emplace(*of, by, again);
    timed_arrival::waiting::queue(&*current, this);
  }

  /// Whether the coroutine stands in the list; else `came` says whether it has the mutex.
  bool waits(bool again) noexcept {
    looks = others_run() ? short_wait : 0;
    const mutex_word::look did = mutex_word::lock_or_wait<real_atomics>(of->word_, *this, again);
    if (did == mutex_word::look::queues) return true;
    came = did == mutex_word::look::has_mutex;
    return false;
  }

  /// A wake, or its time. True: it waits once more.
  bool goes_on_waiting() noexcept {
    timed_arrival::waiting& w = *current;
    w.end();
    if (!w.is_late && !std::exchange(woken_before, true)) return waits(true);
    came = !w.is_late || w.has_mutex;  // a second wake means that it has the mutex
    return false;
  }

  static detail::suspended* run(detail::frame* f) noexcept {
    auto& c = *static_cast<timed_coroutine*>(f);
    if (c.goes_on_waiting()) return nullptr;
    if (c.came) c.of->holder_.is_coroutine();
    c.coroutine.resume();
    return nullptr;
  }

  const sched::steady_ns by;
  int looks = 0;
  std::optional<timed_arrival::waiting> current;
};

bool detail::coroutine_access::lock(mutex& m, timed_coroutine_waiter& w, std::coroutine_handle<> c,
                                    std::int64_t by) {
  static constexpr frame_type kind{[](frame* f) { return mutex::timed_coroutine::run(f); }, false,
                                   "coroutine"};
  auto& me =
      task::make_record<mutex::timed_coroutine>(w, c, record::wait_reason::mutex, kind, m, by);
  me.woken_before = false;
  me.came = try_lock(m);
  if (me.came || !task::coroutine_may_wait_until(by)) return false;
  if (me.waits(false)) return true;
  if (me.came) m.holder_.is_coroutine();
  return false;
}

}  // namespace kasuri
