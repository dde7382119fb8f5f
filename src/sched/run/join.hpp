// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parent's side of the join of a published frame: kasuri/detail/frame.hpp has the protocol.

#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/join_word.hpp"
#include "sched/run/suspend.hpp"

namespace kasuri::sched {

/// Leaves the stack until the frame has been run.
inline void wait_for(detail::frame* f) noexcept {
  // On another stack: leaves the parent in the join word, unless the child is done.
  const auto publish = [](void* child, suspended* parent) noexcept {
    parent->on = child;
    std::uintptr_t empty = detail::join_empty;
    // acq_rel: pairs with the exchange in finish
    return static_cast<detail::frame*>(child)->join_word().compare_exchange_strong(
        empty, reinterpret_cast<std::uintptr_t>(parent), std::memory_order_acq_rel,
        std::memory_order_acquire);
  };
  suspend(record::wait_reason::join, publish, f);
  KASURI_EXPECT(cheap, finished(f), "the parent of %p goes on, its word is %#zx",
                static_cast<void*>(f),
                static_cast<std::size_t>(f->join_word().load(std::memory_order_relaxed)));
}

/// A frame was pushed into slot `at`, or routed (null): thieves that ask are answered, and the
/// caller steps back where there is reason to.
void answer_at_push(worker& w, detail::worker_slot* at, bool detached) noexcept;

/// The join of a frame that was routed (policy/routing.hpp). True: it has not run and will not;
/// false: it has run. `drop`: it is not wanted any more.
bool join_routed(detail::frame* f, bool drop) noexcept;

}  // namespace kasuri::sched
