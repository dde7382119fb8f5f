// SPDX-License-Identifier: Apache-2.0
// The recursive mutex: a mutex, its owner and a count.
//
// The owner is named by its stack, which stays with a task wherever it goes on; where the stack is
// an OS thread's own, by that thread. A thread compares the owner with itself alone, and only it
// writes itself there: so relaxed accesses do.

#include "kasuri/recursive_mutex.hpp"

#include <pthread.h>

#include <stdexcept>

#include "context/stack.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "sched/worker/worker.hpp"

namespace [[gnu::visibility("default")]] kasuri {

namespace {

[[gnu::noinline]] const void* caller() noexcept {
  const sched::worker* const w = sched::current();
  if (w != nullptr && w->face.stack->low != nullptr) return w->face.stack;
  // In a blocking call a task stands on its stack, and the thread is no worker.
  const context::stack* const s =
      w != nullptr ? nullptr : context::stack_around(__builtin_frame_address(0));
  return s != nullptr ? static_cast<const void*>(s) : reinterpret_cast<const void*>(pthread_self());
}

}  // namespace

bool recursive_mutex::is_mine() const noexcept {
  return owner_.load(std::memory_order_relaxed) == caller();
}

/// Whether the caller is the owner, and has locked once more.
bool recursive_mutex::counts_more() noexcept {
  if (!is_mine() || locks_ == UINT32_MAX) return false;
  ++locks_;
  return true;
}

/// `locked`: whether the caller has just taken the mutex.
bool recursive_mutex::took(bool locked) noexcept {
  if (!locked) return false;
  KASURI_EXPECT(cheap, locks_ == 0, "the mutex was let go with %u locks", locks_);
  owner_.store(caller(), std::memory_order_relaxed);
  locks_ = 1;
  return true;
}

void recursive_mutex::lock() {
  if (counts_more()) return;
  if (is_mine()) throw std::overflow_error("kasuri::recursive_mutex::lock: locked 2^32 - 1 times");
  mutex_.lock();
  took(true);
}

bool recursive_mutex::try_lock() noexcept {
  return counts_more() || (!is_mine() && took(mutex_.try_lock()));
}

void recursive_mutex::unlock() noexcept {
  if (!is_mine()) platform::fatal("recursive_mutex::unlock: the caller has not locked it");
  if (--locks_ != 0) return;
  owner_.store(nullptr, std::memory_order_relaxed);
  mutex_.unlock();
}

}  // namespace kasuri
