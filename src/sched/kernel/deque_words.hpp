// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words of the deque (deque.hpp): a slot, the pair {epoch, index} in the tail, the lock.

#include <cstddef>
#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {

using detail::frame;

static_assert(alignof(frame) > detail::slot_flags, "the flags lie in a frame's address");

struct deque_words {
  static constexpr int index_bits = 24;
  static constexpr std::uint64_t index_mask = (1u << index_bits) - 1;

  /// Whether an array of so many slots, and one past it, can be counted in the word of its head.
  static constexpr bool holds(std::size_t capacity) {
    return capacity + 2 < std::size_t{1} << index_bits;
  }

  static std::uint32_t index_of(std::uint64_t tail) noexcept {
    return static_cast<std::uint32_t>(tail & index_mask);
  }
  static std::uint64_t next_epoch(std::uint64_t tail, std::uint32_t index) noexcept {
    KASURI_EXPECT(cheap, index <= index_mask, "index %u, the field ends at %#llx", index,
                  static_cast<unsigned long long>(index_mask));
    return (((tail >> index_bits) + 1) << index_bits) | index;
  }
  static bool tagged(std::uintptr_t word) noexcept {
    return word == 0 || (word & detail::slot_published) != 0;
  }
  static frame* frame_of(std::uintptr_t word) noexcept {
    return reinterpret_cast<frame*>(word & ~detail::slot_flags);
  }
  /// Before a frame is made public: the thief that ends it finds the word of its join.
  static void prepare(frame* f) noexcept {
    KASURI_EXPECT(cheap, f->type != nullptr, "frame %p has no type", static_cast<void*>(f));
    if (f->type->lazy_join) f->join_word().store(detail::join_empty, std::memory_order_relaxed);
  }
};

/// A spinning lock. A is the atomics.
template <class A>
class deque_lock {
 public:
  bool try_lock() noexcept {
    // acquire: pairs with the release in unlock
    return word_.load(std::memory_order_relaxed) == 0 &&
           word_.exchange(1, std::memory_order_acquire) == 0;
  }
  void lock() noexcept {
    for (unsigned n = 0; !try_lock(); ++n) A::backoff(n);
  }
  void unlock() noexcept {
    // release: pairs with the acquire in try_lock
    word_.store(0, std::memory_order_release);
  }

  /// In the child of a fork, where nobody holds it.
  void begin_anew() noexcept { word_.store(0, std::memory_order_relaxed); }

 private:
  typename A::template atomic<std::uint32_t> word_{0};
};

}  // namespace kasuri::sched
