// SPDX-License-Identifier: Apache-2.0
#include "kasuri/future.hpp"

#include <new>

#include "kasuri/detail/join.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "profile/active.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

namespace {

// Turns of looking before the thread leaves its stack.
constexpr int short_wait = 64;

bool finished(const frame* f) noexcept {
  // acquire: pairs with the exchange in finish: the result is there
  const std::uintptr_t code = f->join_word().load(std::memory_order_acquire);
  return code == join_done || code == join_threw;
}

bool publish_waiter(void* task, suspended* s) noexcept {
  auto* f = static_cast<frame*>(task);
  s->on = f;
  std::uintptr_t empty = join_empty;
  // acq_rel: pairs with the exchange in finish
  return f->join_word().compare_exchange_strong(empty, reinterpret_cast<std::uintptr_t>(s),
                                                std::memory_order_acq_rel,
                                                std::memory_order_acquire);
}

/// The newest task of the calling worker's own queue, if that is `f`.
bool take_back(frame* f) noexcept {
  if (self() == nullptr) return false;
  sched::deque<real_atomics>& queue = sched::current()->queue;
  frame* const newest = queue.pop_private();
  if (newest == f) return true;
  if (newest != nullptr) queue.unpop();
  return false;
}

}  // namespace

void start_detached(frame* task) noexcept {
  if (profile::active()) [[unlikely]]
    sched::task_created(task);
  detail::spawn_detached(self(), task);
}

suspended* finish_future(frame* task, std::uintptr_t code) noexcept { return finish(task, code); }

namespace {

void wait_until_finished(frame* task) {
  if (take_back(task)) {
    sched::worker& w = *sched::current();
    suspended* const other =
        w.forks == nullptr ? task->type->run(task) : sched::run_measured(w, task);
    if (other != nullptr) sched::make_ready(other);
    KASURI_EXPECT(cheap, finished(task), "%p has run, its word is %zu", static_cast<void*>(task),
                  static_cast<std::size_t>(task->join_word().load(std::memory_order_relaxed)));
    return;
  }
  for (int i = 0; i != short_wait; ++i) {
    if (finished(task)) return;
    real_atomics::pause();
  }
  if (!sched::try_suspend(record::wait_reason::future, publish_waiter, task)) [[unlikely]]
    throw std::bad_alloc();
  if (!finished(task)) platform::fatal("future: two threads wait for the same task");
}

}  // namespace

void wait_for_future(frame* task) {
  const bool measured = profile::active();
  if (measured) [[unlikely]]
    sched::wait_begins();
  wait_until_finished(task);
  if (measured) [[unlikely]]
    sched::wait_ended(task);
}

}  // namespace detail
}  // namespace kasuri
