// SPDX-License-Identifier: Apache-2.0
#include "omp/work/lock.hpp"

#include <new>

#include "kasuri/detail/atomics.hpp"
#include "omp/run/wait.hpp"
#include "omp/team/this_member.hpp"
#include "omp/tool/mutex.hpp"
#include "omp/wait/parking.hpp"
#include "omp/wait/wait_account.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace {

using detail::real_atomics;

// Looks at a lock that another thread holds before the waiter counts as one: about a microsecond,
// so that short critical sections pass from hand to hand without the parking lot.
constexpr unsigned looks = 64;

/// Waits for the word to become free with no trace in it.
bool acquire_spinning(lock_word& word) noexcept {
  const wait_account account(record::wait_reason::openmp_lock);
  const std::atomic_ref w(word);
  for (unsigned n = 0; n != looks; ++n) {
    if (w.load(std::memory_order_relaxed) == lock_free && try_acquire(word)) return true;
    real_atomics::pause();
  }
  return false;
}

/// Takes the lock as contended, or marks it so.
bool acquire_contended(lock_word& word) noexcept {
  const std::atomic_ref w(word);
  lock_word seen = w.load(std::memory_order_relaxed);
  while (seen != lock_contended) {
    const bool was_free = seen == lock_free;
    // acquire: pairs with the exchange in release
    if (w.compare_exchange_weak(seen, lock_contended, std::memory_order_acquire,
                                std::memory_order_relaxed))
      return was_free;
  }
  return false;
}

// A cache line of its own.
constexpr std::size_t nest_lock_bytes = 64;
static_assert(sizeof(nest_lock) <= nest_lock_bytes);

}  // namespace

constinit lock_word critical_lock = lock_free;
constinit lock_word atomic_lock = lock_free;

void acquire_slow(lock_word& word) noexcept {
  const tool::lock_wait seen;
  if (acquire_spinning(word)) return;
  bool mine = false;  // the condition is asked again after it was true
  wait_until(
      self(), &word, [&] { return mine || (mine = acquire_contended(word)); }, may_run::nothing,
      record::wait_reason::openmp_lock);
  KASURI_EXPECT(cheap, std::atomic_ref(word).load(std::memory_order_relaxed) == lock_contended,
                "lock %p was taken by a waiter, state %u", static_cast<void*>(&word),
                std::atomic_ref(word).load(std::memory_order_relaxed));
}

void wake_waiter(lock_word& word) noexcept { unpark_one(&word); }

nest_lock* make_nest_lock() noexcept {
  void* memory = sched::allocate_record(nest_lock_bytes);
  if (memory == nullptr) platform::fatal("openmp: no memory for a nestable lock");
  return new (memory) nest_lock;
}

void destroy_nest_lock(nest_lock* lock) noexcept {
  KASURI_EXPECT(cheap, lock == nullptr || (lock->depth == 0 && lock->word == lock_free),
                "a nestable lock is destroyed: depth %u, state %u", lock->depth, lock->word);
  if (lock != nullptr) sched::free_record(lock, nest_lock_bytes);
}

int try_acquire(nest_lock& lock) noexcept {
  const task* const me = this_member().current;
  if (lock.owner.load(std::memory_order_relaxed) != me) {
    if (!try_acquire(lock.word)) return 0;
    KASURI_EXPECT(cheap, lock.depth == 0, "a nestable lock was free at depth %u", lock.depth);
    lock.owner.store(me, std::memory_order_relaxed);
  }
  return static_cast<int>(++lock.depth);
}

std::uint32_t acquire(nest_lock& lock) noexcept {
  const task* const me = this_member().current;
  if (lock.owner.load(std::memory_order_relaxed) != me) {
    acquire(lock.word);
    KASURI_EXPECT(cheap, lock.depth == 0, "a nestable lock was free at depth %u", lock.depth);
    lock.owner.store(me, std::memory_order_relaxed);
  }
  return ++lock.depth;
}

bool release(nest_lock& lock) noexcept {
  KASURI_EXPECT(
      cheap, lock.depth != 0 && lock.owner.load(std::memory_order_relaxed) == this_member().current,
      "a nestable lock of task %p is released at depth %u by task %p",
      static_cast<const void*>(lock.owner.load(std::memory_order_relaxed)), lock.depth,
      static_cast<void*>(this_member().current));
  if (--lock.depth != 0) return false;
  lock.owner.store(nullptr, std::memory_order_relaxed);
  release(lock.word);
  return true;
}

}  // namespace kasuri::omp
