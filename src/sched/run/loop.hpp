// SPDX-License-Identifier: Apache-2.0
#pragma once

// For code that leaves a stack by hand: the loop's own entries (loop.cpp), suspending
// (suspend.cpp), child first, blocking threads, calls on a stack of their own.

#include <cstdint>

#include "context/context.hpp"
#include "context/sanitizer.hpp"
#include "context/stack.hpp"
#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "record/wait_reason.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/policy/routing.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

// Every so many turns, what comes last otherwise comes first: ring and inbox before the deque in
// the loop, tasks that have not begun before ready threads at a yield.
inline constexpr std::uint32_t fair_turn = 64;

/// The worker may be another one after every call that may suspend.
inline worker* worker_now() noexcept { return opaque(current()); }

/// Fills the record of the thread that stands on w's present stack and is about to leave it.
inline void prepare_suspension(suspended& s, worker& w, record::wait_reason reason) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.face.stack != nullptr,
                "worker %d, on stack %p, is suspended by worker %d", w.index,
                static_cast<void*>(w.face.stack), index_of_caller());
  s.type = &ready_thread;
  s.in = nullptr;
  s.stack = w.face.stack;
  s.home = w.face.stack->home;
  s.place = w.range == nullptr ? -1 : owner_of(*w.home, *w.range);
  s.arena = w.face.arena;
  s.reason = reason;
  s.foreign = false;
}

/// A stack of the pool, begun for the sanitizers; null when there is no memory for one.
inline context::stack* try_loop_stack(worker& w) noexcept {
  context::stack* const s = w.stacks.take();
  KASURI_EXPECT(cheap, s == nullptr || (s->waiting == nullptr && s->home == nullptr),
                "stack %p was free, %p waits on it", static_cast<void*>(s), s->waiting);
  if (s != nullptr) [[likely]]
    s->fiber.begin(s->low, s->high);
  return s;
}

/// The same; ends the process with a line when there is no memory.
inline context::stack* loop_stack(worker& w) noexcept {
  context::stack* const s = try_loop_stack(w);
  if (s == nullptr) [[unlikely]]
    no_memory_for_stack();
  return s;
}

// Templates, since what the sanitizers must find in no other function must not be declared inline.

/// The calling thread leaves stack `from` for the fresh stack `to`, which begins with entry(arg,
/// context).
template <class Entry>
KASURI_UNINSTRUMENTED void leave_for(context::stack* from, context::stack* to, Entry entry,
                                     void* arg) noexcept {
  from->fiber.leaving(to->fiber, false);
  context::kasuri_context_start(to->high, entry, arg);
}

/// The first thing on a stack that a thread came back to.
template <class Stack>
KASURI_UNINSTRUMENTED void arrived_home(Stack* s) noexcept {
  s->fiber.arrived();
}

/// Whether the thread that runs on `w` must not go on on another OS thread: it asked for that
/// (kasuri_keep_os_thread), or the kernel takes this one for the owner of a mutex that it has. It
/// waits on it then, as a worker that blocks in a system call.
inline bool keeps_os_thread(const worker& w) noexcept {
  return w.face.stack->keeps_os_thread || (w.wears != nullptr && !w.wears->kernel_locks.empty());
}

/// Makes the calling, now empty, stack a loop, which runs `first` first if there is one.
[[noreturn]] void continue_loop(detail::frame* first = nullptr) noexcept;

/// Runs tasks on the calling OS thread of the pool until the pool stops. False, at once, when there
/// is no memory for a stack.
[[nodiscard]] bool run_loop(worker& w) noexcept;

/// The thread that stands on w's present stack leaves it and the worker, which goes on without it.
/// `s` is its record, prepared. `publish` is called on another stack and has somebody go on with it
/// who is no worker.
void leave_worker(worker& w, suspended& s, publish_function publish, void* arg) noexcept;

/// Goes on with `s`, leaving the present stack for good; returns only if `s` must go on elsewhere.
void resume(suspended* s) noexcept;

}  // namespace kasuri::sched
