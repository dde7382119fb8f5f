// SPDX-License-Identifier: Apache-2.0
#include "kasuri/future.hpp"

#include <cstdint>
#include <new>

#include "kasuri/detail/flow/callback.hpp"
#include "kasuri/detail/join.hpp"
#include "platform/base/expect.hpp"
#include "profile/base/active.hpp"
#include "sched/kernel/result_word.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

namespace {

// Turns of looking before the thread leaves its stack.
constexpr int short_wait = 64;

namespace word = sched::result_word;

[[gnu::always_inline]] inline bool finished(const frame* f) noexcept {
  // acquire: pairs with the exchange in end of result_word.hpp: the result is there
  return word::is_end(f->join_word().load(std::memory_order_acquire));
}

callback* as_callback(std::uintptr_t entry) noexcept {
  return reinterpret_cast<callback*>(entry & ~word::callback_tag);
}

/// The threads are linked by their `next`, which then holds a word.
bool publish_waiter(void* task, suspended* s) noexcept {
  auto* f = static_cast<frame*>(task);
  s->on = f;
  auto join = f->join_word();
  return word::put(join, reinterpret_cast<std::uintptr_t>(s),
                   [s](std::uintptr_t before) { s->next = reinterpret_cast<suspended*>(before); });
}

std::uintptr_t next_of(std::uintptr_t entry) noexcept {
  return word::is_callback(entry)
             ? as_callback(entry)->next
             : reinterpret_cast<std::uintptr_t>(reinterpret_cast<suspended*>(entry)->next);
}

void set_next(std::uintptr_t entry, std::uintptr_t next) noexcept {
  if (word::is_callback(entry))
    as_callback(entry)->next = next;
  else
    reinterpret_cast<suspended*>(entry)->next = reinterpret_cast<suspended*>(next);
}

/// `entries` come newest first; in front of `rest` they stand oldest first.
std::uintptr_t in_front(std::uintptr_t entries, std::uintptr_t rest) noexcept {
  while (entries != 0) {
    const std::uintptr_t after = next_of(entries);
    set_next(entries, rest);
    rest = entries;
    entries = after;
  }
  return rest;
}

/// Wakes all threads but the first, which it returns, and calls the callbacks. Not inlined: a task
/// that nobody waits for does not save registers for this.
[[gnu::noinline]] suspended* let_go_but_first(std::uintptr_t entries) noexcept {
  suspended* first = nullptr;
  for (std::uintptr_t at = in_front(entries, 0); at != 0;) {
    const std::uintptr_t entry = at;
    at = next_of(entry);  // before the entry may be gone
    if (word::is_callback(entry)) {
      callback* const c = as_callback(entry);
      at = in_front(c->call(c), at);
    } else if (first == nullptr) {
      first = reinterpret_cast<suspended*>(entry);
    } else {
      sched::make_ready(reinterpret_cast<suspended*>(entry));
    }
  }
  return first;
}

/// Takes the newest task of the calling worker's own queue, if that is `f`.
bool take_back(sched::worker& w, frame* f) noexcept {
  if (sched::arena_of(f) != w.face.arena) return false;
  sched::deque<real_atomics>& queue = w.queue;
  frame* const newest = queue.pop_private();
  if (newest == f) return true;
  if (newest != nullptr) queue.unpop();
  return false;
}

}  // namespace

void start_detached(frame* task) noexcept {
  if (profile::active()) [[unlikely]]
    sched::task_created(task);
  worker_face* const face = self();
  if (face != nullptr && sched::arena_of(task) != face->arena) [[unlikely]]
    return spawn_slow(task);
  spawn_detached(face, task);
}

bool on_ready(frame* task, callback* what) noexcept {
  static_assert(alignof(callback) > word::callback_tag);
  auto join = task->join_word();
  return word::put(join, reinterpret_cast<std::uintptr_t>(what) | word::callback_tag,
                   [what](std::uintptr_t before) { what->next = before; });
}

std::uintptr_t end_result(frame* task, std::uintptr_t code) noexcept {
  auto join = task->join_word();
  return word::end(join, code);
}

void let_go(std::uintptr_t entries) noexcept {
  if (entries == 0) return;
  if (suspended* const first = let_go_but_first(entries)) sched::make_ready(first);
}

namespace {

suspended* end_and_let_go(frame* task, std::uintptr_t code) noexcept {
  auto join = task->join_word();
  const std::uintptr_t entries = word::end(join, code);
  return entries == join_empty ? nullptr : let_go_but_first(entries);
}

[[gnu::noinline]] suspended* finish_measured(sched::worker& w, frame* task,
                                             std::uintptr_t code) noexcept {
  sched::frame_ends(w, task);
  return end_and_let_go(task, code);
}

}  // namespace

suspended* finish_future(frame* task, std::uintptr_t code) noexcept {
  sched::worker* const w = sched::current();
  if (w != nullptr && w->measures != nullptr) [[unlikely]]
    return finish_measured(*w, task, code);
  return end_and_let_go(task, code);
}

namespace {

/// False: what is waited for, or what it waits for, may be among the caller's own tasks and ready
/// threads, which run once it leaves its stack.
bool may_run_elsewhere() noexcept {
  const sched::worker* const w = sched::current();
  return w == nullptr || (w->queue.empty() && w->ready.empty());
}

/// Not inlined: a task that runs in place does not save registers for this.
[[gnu::noinline]] void look_and_suspend(frame* task) {
  for (int i = may_run_elsewhere() ? short_wait : 1; i != 0; --i) {
    if (finished(task)) return;
    real_atomics::pause();
  }
  if (!sched::try_suspend(record::wait_reason::future, publish_waiter, task)) [[unlikely]]
    throw std::bad_alloc();
  KASURI_EXPECT(cheap, finished(task), "%p is waited for, its word is %zu",
                static_cast<void*>(task),
                static_cast<std::size_t>(task->join_word().load(std::memory_order_relaxed)));
}

void wait_until_finished(frame* task) {
  sched::worker* const w = sched::current();
  if (w != nullptr && take_back(*w, task)) {
    suspended* const other =
        w->forks == nullptr ? task->type->run(task) : sched::run_measured(*w, task);
    if (other != nullptr) sched::make_ready(other);
    // The function of a then may have returned a future, which brings the result later.
    if (finished(task)) return;
  }
  look_and_suspend(task);
}

}  // namespace

void wait_for_future(frame* task) {
  sched::measured_wait measured;
  wait_until_finished(task);
  measured.is_over(task);
}

}  // namespace detail
}  // namespace kasuri
