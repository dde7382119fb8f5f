// SPDX-License-Identifier: Apache-2.0
#include "sched/run/own_stack.hpp"

#include "platform/base/expect.hpp"
#include "sched/run/loop.hpp"

namespace kasuri::sched {
namespace {

// Of a stack of the pool that a call on top of the caller does with.
constexpr std::ptrdiff_t share_that_may_be_used = 64;

/// Lies on the caller's stack.
struct excursion {
  void (*call)(void* arg);
  void* arg;
  context::stack* from;
  context::stack* to;
  bool of_pool;      // `to` goes back there behind the call
  suspended caller;  // for dumps and the debugger: nobody else resumes it
};

[[gnu::noinline]] void run(excursion& e) noexcept {
  opaque(current())->face.stack = e.to;
  e.call(e.arg);
}

/// See kasuri_context_call. Goes over to the caller's fibre itself, so its own entry and exit would
/// be counted on different ones if it were instrumented.
KASURI_UNINSTRUMENTED context::saved run_there(void* arg) noexcept {
  auto& e = *static_cast<excursion*>(arg);
  e.to->fiber.arrived();
  run(e);
  worker* const w = opaque(current());
  w->face.stack = e.from;
  e.to->home = nullptr;
  e.to->keeps_os_thread = false;
  e.to->fiber.leaving(e.from->fiber, true);
  if (e.of_pool) w->stacks.put(e.to);
  return e.caller.context;
}

KASURI_UNINSTRUMENTED void go(excursion& e) noexcept {
  e.from->fiber.leaving(e.to->fiber, false);
  context::kasuri_context_call(e.to->high, run_there, &e, &e.caller.context);
  e.from->fiber.arrived();
}

/// Whether a call on top of the caller has what is promised. Nobody asks the system how large its
/// own stacks are, nor where a program's own coroutine stands: there it has not.
bool has_stack_left(const worker& w) noexcept {
  const context::stack& here = *w.face.stack;
  if (here.low == nullptr) return false;
  const auto* const at = static_cast<const std::byte*>(__builtin_frame_address(0));
  return here.high - at < (here.high - here.low) / share_that_may_be_used;
}

/// `to` was begun for the sanitizers.
void call_there(context::stack& to, bool of_pool, void (*call)(void* arg), void* arg) noexcept {
  excursion e;
  e.call = call;
  e.arg = arg;
  e.from = current()->face.stack;
  e.to = &to;
  e.of_pool = of_pool;
  // Code below that uses an OS thread's own thread-locals goes on there only, and so does the code
  // above it.
  e.to->home = e.from->home;
  e.to->keeps_os_thread = e.from->keeps_os_thread;
  const std::uint64_t suspensions = e.to->suspensions;
  e.caller.stack = e.from;
  e.caller.reason = record::wait_reason::join;
  e.caller.on = nullptr;
  e.caller.held_by = nullptr;
  KASURI_EXPECT(cheap, e.from->waiting == nullptr, "on the stack %p stands %p and calls",
                static_cast<void*>(e.from), e.from->waiting);
  e.from->waiting = &e.caller;
  go(e);
  KASURI_EXPECT(cheap, e.from->waiting == &e.caller && opaque(current())->face.stack == e.from,
                "worker %d stands on %p after a call from %p", index_of_caller(),
                static_cast<void*>(opaque(current())->face.stack), static_cast<void*>(e.from));
  e.from->waiting = nullptr;
  // The caller was suspended with it: child_on_its_stack wants to know.
  if (e.to->suspensions != suspensions) ++e.from->suspensions;
  e.to->fiber.end();
}

}  // namespace

void call_on_own_stack(void (*call)(void* arg), void* arg) noexcept {
  worker& w = *current();
  if (has_stack_left(w)) return call(arg);
  call_there(*loop_stack(w), true, call, arg);
}

void call_on_stack(context::stack& to, void (*call)(void* arg), void* arg) noexcept {
  KASURI_EXPECT(cheap, to.waiting == nullptr && to.home == nullptr, "%p waits on the stack %p",
                to.waiting, static_cast<void*>(&to));
  to.fiber.begin(to.low, to.high);
  call_there(to, false, call, arg);
}

}  // namespace kasuri::sched
