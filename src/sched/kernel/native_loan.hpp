// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loan of a worker's native thread-locals to a thread that goes on on another worker meanwhile
// (worker/identity.cpp). A is the atomics; tests/model explores it.
//
//   none ---ask---> asked ---settle(true)---> lent ---end---> none
//                     `------settle(false)------------------> none
//
//   dressed   written by the worker alone: the task that runs wears an identity, so that the native
//             thread-locals are not in use
//   state     the monitor goes from none to asked and on to lent or none; the worker from lent to
//             none
//
//   worker   1. dressed = false   2. fence_light   3. reads state; none: they are its own
//   monitor  1. state = asked     2. fence_heavy   3. reads dressed; true: the worker uses others
//
// Either the worker finds that it has been asked, and waits for the answer, or the monitor finds
// that it has taken the identity off, and does not lend.

#include <atomic>
#include <cstdint>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

template <class A>
class native_loan {
 public:
  /// Worker: from here on it does not use the native thread-locals.
  void dress() noexcept {
    // release: pairs with the acquire in ask: the native ones are no longer in use
    dressed_.store(true, std::memory_order_release);
  }

  /// Worker: its task takes the identity off. True: the native thread-locals are lent.
  [[nodiscard]] bool undress() noexcept {
    dressed_.store(false, std::memory_order_relaxed);  // relaxed: before the fence below
    A::fence_light();                                  // pairs with the fence_heavy in ask
    // relaxed: after the fence above
    if (state_.load(std::memory_order_relaxed) == state::none) [[likely]]
      return false;
    return answer() == state::lent;
  }

  /// Worker, with the native thread-locals: the thread that they belong to is back.
  void end() noexcept {
    expect_state(state::lent);
    dressed_.store(false, std::memory_order_relaxed);
    // release: pairs with the acquire in at_home
    state_.store(state::none, std::memory_order_release);
  }

  /// Monitor, as everything below: false: they are lent.
  [[nodiscard]] bool at_home() const noexcept {
    // acquire: pairs with the release in end
    return state_.load(std::memory_order_acquire) == state::none;
  }
  /// A snapshot: whether there is a chance.
  [[nodiscard]] bool may_be_free() const noexcept {
    return dressed_.load(std::memory_order_relaxed);
  }
  /// They are at home. True: they are not in use, and stay so until settle().
  [[nodiscard]] bool ask() noexcept {
    expect_state(state::none);
    state_.store(state::asked, std::memory_order_relaxed);  // relaxed: before the fence below
    A::fence_heavy();                                       // pairs with the fence_light in undress
    // acquire: pairs with the release in dress
    return dressed_.load(std::memory_order_acquire);
  }
  void settle(bool lent) noexcept {
    expect_state(state::asked);
    // release: pairs with the acquire in answer
    state_.store(lent ? state::lent : state::none, std::memory_order_release);
  }

 private:
  enum class state : std::uint32_t { none, asked, lent };

  /// For the thread that alone may change the state now.
  void expect_state([[maybe_unused]] state wanted) const noexcept {
    KASURI_EXPECT(cheap, state_.load(std::memory_order_relaxed) == wanted, "state %u, not %u",
                  static_cast<unsigned>(state_.load(std::memory_order_relaxed)),
                  static_cast<unsigned>(wanted));
  }

  [[gnu::noinline]] state answer() const noexcept {
    for (unsigned n = 0;; ++n) {
      // acquire: pairs with the release in settle
      const state now = state_.load(std::memory_order_acquire);
      if (now != state::asked) return now;
      A::backoff(n);
    }
  }

  typename A::template atomic<bool> dressed_{false};
  typename A::template atomic<state> state_{state::none};
};

}  // namespace kasuri::sched
