// SPDX-License-Identifier: Apache-2.0
#pragma once

// Threads that may go on: first in, first out, bounded.
//
// The owner puts, anybody takes (the owner too). head and tail count for ever; the slot of a
// position is the position modulo the size.
//   tail   written by the owner alone; release, so that a taker sees the slot.
//   head   advanced by compare-and-swap. A slot is written again only after head has passed it, so
//          a taker that read an old frame fails its compare-and-swap.

#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {

template <class A, std::uint32_t slots = 256>
class ready_ring {
 public:
  static constexpr std::uint32_t capacity = slots;
  static_assert((capacity & (capacity - 1)) == 0, "positions wrap around at 2^32");

  /// Owner: false when full.
  bool put(detail::frame* f) noexcept {
    const std::uint32_t t = tail_.load(std::memory_order_relaxed);
    // acquire: pairs with the release of head in take: that taker is done with the slot
    const std::uint32_t used = t - head_.load(std::memory_order_acquire);
    KASURI_EXPECT(cheap, f != nullptr && used <= capacity, "frame %p, %u in the ring, tail %u",
                  static_cast<void*>(f), used, t);
    if (used == capacity) return false;
    slots_[t % capacity].store(f, std::memory_order_relaxed);
    // release: pairs with the acquire of tail in take
    tail_.store(t + 1, std::memory_order_release);
    return true;
  }

  /// Anybody: the oldest, or null.
  detail::frame* take() noexcept {
    // acquire: pairs with the release of head in other takes
    std::uint32_t h = head_.load(std::memory_order_acquire);
    for (;;) {
      // acquire: pairs with the release of tail in put
      if (h == tail_.load(std::memory_order_acquire)) return nullptr;
      detail::frame* f = slots_[h % capacity].load(std::memory_order_relaxed);
      // acq_rel: pairs with the acquire of head in put and in other takes
      if (head_.compare_exchange_weak(h, h + 1, std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
        KASURI_EXPECT(cheap, f != nullptr, "position %u is empty", h);
        return f;
      }
    }
  }

  /// Anybody: a snapshot.
  bool empty() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp
    return head_.load(std::memory_order_relaxed) == tail_.load(std::memory_order_relaxed);
  }

 private:
  alignas(64) typename A::template atomic<std::uint32_t> head_{0};
  typename A::template atomic<std::uint32_t> tail_{0};
  typename A::template atomic<detail::frame*> slots_[capacity] = {};
};

}  // namespace kasuri::sched
