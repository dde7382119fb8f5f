// SPDX-License-Identifier: Apache-2.0
#pragma once

// The join word of a published frame, as its parent reads it: kasuri/detail/frame.hpp has the
// protocol.

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {

inline bool finished(const detail::frame* f) noexcept {
  // acquire: pairs with the exchange in finish: the child's results are there
  const std::uintptr_t code = f->join_word().load(std::memory_order_acquire);
  KASURI_EXPECT(cheap, code != detail::join_held, "frame %p was never published",
                static_cast<const void*>(f));
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

}  // namespace kasuri::sched
