// SPDX-License-Identifier: Apache-2.0
// Turns of a pipeline's stage: a number, and threads that wait for theirs, behind a spin lock as
// other objects to wait for (src/task/wait_list.hpp). No number waits twice.
#include "kasuri/detail/flow/turns.hpp"

#include <new>

#include "sched/kernel/suspended.hpp"
#include "sched/run/suspend.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct turn_waiter {
  std::uint64_t number;
  bool has_turn = false;
  turn_waiter* next = nullptr;
  suspended* thread = nullptr;
};

bool turns::wait_for(std::uint64_t number) {
  task::acquire(state_);
  KASURI_EXPECT(cheap, state_.given_up || number >= state_.count,
                "number %zu comes again, the turn is %zu", static_cast<std::size_t>(number),
                static_cast<std::size_t>(state_.count));
  if (state_.given_up || state_.count == number) {
    const bool mine = !state_.given_up;
    task::release(state_);
    return mine;
  }
  turn_waiter me{number};
  struct {
    turns_state& of;
    turn_waiter& waiter;
  } both{state_, me};
  const bool waited = sched::try_suspend(
      record::wait_reason::pipeline_turn,
      [](void* arg, suspended* thread) noexcept {
        const auto [of, waiter] = *static_cast<decltype(both)*>(arg);
        thread->on = &of;
        waiter.thread = thread;
        sched::append(of.last[waiter.number % of.lists], &waiter);
        task::release(of);
        return true;
      },
      &both);
  if (!waited) [[unlikely]] {
    task::release(state_);
    throw std::bad_alloc();
  }
  return me.has_turn;
}

void turns::pass() noexcept {
  turn_waiter* next = nullptr;
  {
    const task::holding hold(state_);
    const std::uint64_t turn = ++state_.count;
    sched::take_where(
        state_.last[turn % state_.lists], 1,
        [turn](const turn_waiter& w) { return w.number == turn; },
        [&next](turn_waiter& w) {
          w.has_turn = true;
          next = &w;
        });
  }
  if (next != nullptr) sched::make_ready(next->thread);
}

void turns::give_up() noexcept {
  turn_waiter* all = nullptr;
  {
    const task::holding hold(state_);
    state_.given_up = true;
    for (turn_waiter*& last : state_.last)
      while (turn_waiter* const w = sched::take_first(last)) sched::append(all, w);
  }
  for (turn_waiter* w = sched::take_all(all); w != nullptr;) {
    turn_waiter* const after = w->next;  // before the thread may go on and be gone
    sched::make_ready(w->thread);
    w = after;
  }
}

}  // namespace detail
}  // namespace kasuri
