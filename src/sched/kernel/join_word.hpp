// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parent's side of the join of a published frame: kasuri/detail/frame.hpp has the protocol.

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/frame.hpp"
#include "sched/run/suspend.hpp"

namespace kasuri::sched {

inline bool finished(const detail::frame* f) noexcept {
  // acquire: pairs with the exchange in finish: the child's results are there
  const std::uintptr_t code = f->join_word().load(std::memory_order_acquire);
  return code == detail::join_done || code == detail::join_threw;
}

/// The same within a moment: a look or two is cheaper than leaving the stack.
inline bool finished_soon(const detail::frame* f) noexcept {
  constexpr int looks = 64;
  for (int i = 0; i != looks; ++i) {
    if (finished(f)) return true;
    detail::real_atomics::pause();
  }
  return finished(f);
}

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
}

}  // namespace kasuri::sched
