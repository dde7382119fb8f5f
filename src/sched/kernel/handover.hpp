// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the owner that a thief has asked puts a frame for it.
//
// A thief that spins asks one owner and then reads nothing of that owner's but this word of its
// own, which lies in its cache until the answer is written. From push to start a frame so crosses
// between two cores four times: the request, the answer's line to the owner and back, the frame
// itself. By way of the deque it would be seven: the lock's, the split's and the tail's line come
// on top, and each look of the thief in between takes them away from the owner.
//
// The thief opens the word for one owner at a time. That owner may fill it once; anybody else, and
// the same owner later, finds another value there and keeps the frame.

#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {

template <class A>
class handover {
 public:
  /// Thief: whether it awaits an answer of `owner`, or has one.
  bool awaits(int owner) const noexcept { return open_for_ == open_word(owner); }

  /// Thief: whether it awaits an answer at all.
  bool is_open() const noexcept { return open_for_ != closed; }

  /// Thief: the owner that it awaits an answer of.
  int owner() const noexcept {
    KASURI_EXPECT(cheap, is_open(), "the word holds %#zx", static_cast<std::size_t>(open_for_));
    return static_cast<int>(open_for_ >> 1);
  }

  /// Thief: from here on `owner` may answer. Precondition: not open.
  void open(int owner) noexcept {
    KASURI_EXPECT(cheap, owner >= 0, "opened for %d while it is %#zx", owner,
                  static_cast<std::size_t>(open_for_));
    open_for_ = open_word(owner);
    word_.store(open_for_, std::memory_order_relaxed);
  }

  /// Thief: whether the answer has come.
  bool answered() const noexcept { return word_.load(std::memory_order_relaxed) != open_for_; }

  /// Thief: no answer is accepted any more. A frame that came meanwhile, or null.
  detail::frame* close() noexcept {
    if (open_for_ == closed) return nullptr;
    // acquire: pairs with the release in give
    const std::uintptr_t seen = word_.exchange(closed, std::memory_order_acquire);
    KASURI_EXPECT(cheap, seen == open_for_ || (seen != closed && (seen & 1) == 0),
                  "the answer is %#zx, asked for was %#zx", static_cast<std::size_t>(seen),
                  static_cast<std::size_t>(open_for_));
    const bool empty = seen == open_for_;
    open_for_ = closed;
    return empty ? nullptr : reinterpret_cast<detail::frame*>(seen);
  }

  /// The owner of that number: true when the frame is the thief's now.
  bool give(int owner, detail::frame* f) noexcept {
    KASURI_EXPECT(cheap, owner >= 0 && f != nullptr, "owner %d gives frame %p", owner,
                  static_cast<void*>(f));
    std::uintptr_t expected = open_word(owner);
    // release: pairs with the acquire in close
    return word_.compare_exchange_strong(expected, reinterpret_cast<std::uintptr_t>(f),
                                         std::memory_order_release, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uintptr_t closed = 0;
  static_assert(alignof(detail::frame) > 1);
  /// Odd, as no frame's address is.
  static constexpr std::uintptr_t open_word(int owner) noexcept {
    return static_cast<std::uintptr_t>(owner) << 1 | 1;
  }

  typename A::template atomic<std::uintptr_t> word_{closed};
  std::uintptr_t open_for_ = closed;  // the thief's
};

}  // namespace kasuri::sched
