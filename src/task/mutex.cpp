// SPDX-License-Identifier: Apache-2.0
// The mutex. One word holds its state (mutex_word.hpp), `last_` the waiters. No memory for the
// stack that it takes to wait: known before the word is changed. A thread that comes throws; one
// that was woken and lost looks until it finds the mutex free.

#include <new>

#include "kasuri/sync.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "profile/base/active.hpp"
#include "sched/pool/pool.hpp"
#include "task/mutex_sums.hpp"
#include "task/mutex_word.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace {

using detail::real_atomics;
namespace word = task::mutex_word;

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

  detail::suspended* take_first() noexcept {
    KASURI_EXPECT(cheap, last != nullptr && last->reason == record::wait_reason::mutex,
                  "the youngest waiter is %p, for the reason %d", static_cast<void*>(last),
                  last == nullptr ? -1 : static_cast<int>(last->reason));
    return task::take_first(last);
  }
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
  static bool can_wait(bool again) {
    if (sched::can_suspend_alone()) [[likely]]
      return true;
    if (!again) throw std::bad_alloc();
    return false;  // the others wait for this thread to try
  }
  void wait(bool again) noexcept {
    in_front = again;
    sched::suspend(record::wait_reason::mutex, queue, this);
  }
};

/// The arrival lies on the stack that has been left, and may go on once it is in the list.
bool mutex::queue(void* arg, detail::suspended* s) noexcept {
  const arrival a = *static_cast<arrival*>(arg);
  s->on = &a.m;
  s->held_by = &a.m.holder_;
  if (a.in_front)
    task::prepend(a.m.last_, s);
  else
    task::append(a.m.last_, s);
  constexpr std::uint32_t held = word::locked | word::guard | word::waiting;
  KASURI_EXPECT(cheap, (a.m.word_.load(std::memory_order_relaxed) & held) == held,
                "thread %p has queued, the word is %u", static_cast<void*>(s),
                a.m.word_.load(std::memory_order_relaxed));
  word::end_of_queueing(a.m.word_);
  return true;
}

bool mutex::try_lock() noexcept {
  static_assert(locked == word::locked);
  if (!word::try_lock(word_)) return false;
  holder_.is_caller();
  return true;
}

void mutex::lock_slow() {
  arrival me{*this, others_run() ? short_wait : 0};
  const std::uint64_t since = profile::active() ? platform::ticks() : 0;
  word::lock_slow<real_atomics>(word_, me);
  if (since != 0) [[unlikely]]
    task::mutex_was_waited_for(this, __builtin_return_address(0), since);
}

void mutex::unlock_slow() noexcept {
  if (profile::active()) [[unlikely]]
    task::awaited_mutex_is_given(this, __builtin_return_address(0));
  waiters list{last_};
  if (detail::suspended* const first = word::unlock_slow<real_atomics>(word_, list))
    sched::make_ready(first);
}

}  // namespace kasuri
