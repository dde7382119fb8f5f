// SPDX-License-Identifier: Apache-2.0
#pragma once

// The record of a checkout while it lasts: three words that the thread which made it writes without
// a lock. A thread that wants to take the memory away reads them. The protocol between the two is
// in src/cluster/memory/checkouts/pins.hpp.

#include <atomic>
#include <cstdint>

#include "kasuri/detail/atomics.hpp"

namespace kasuri::global::detail {

/// A is the atomics, which tests replace.
template <class A>
struct pin_words {
  // Where the checkout begins; 0: the pin is free.
  typename A::template atomic<std::uint64_t> offset{0};
  // 2 * bytes, + 1 if it writes, + unkept, + copied.
  typename A::template atomic<std::uint64_t> extent{0};
  // An address on the stack of the task whose checkout it is.
  typename A::template atomic<std::uintptr_t> frame{0};

  /// Of extent: what the checkout brought here does not stay, and its end is more than drop().
  static constexpr std::uint64_t unkept = std::uint64_t{1} << 63;
  /// Of extent: what is checked out lies in a copy, which goes back to its place at the end.
  static constexpr std::uint64_t copied = std::uint64_t{1} << 62;

  /// The end of the checkout is more than drop().
  [[nodiscard]] bool ends_slowly() const noexcept {
    return (extent.load(std::memory_order_relaxed) & (unkept | copied)) != 0;
  }

  [[nodiscard]] bool uncached() const noexcept {
    return (extent.load(std::memory_order_relaxed) & unkept) != 0;
  }
  void mark_uncached() noexcept { extent.fetch_or(unkept, std::memory_order_relaxed); }
  [[nodiscard]] bool is_copied() const noexcept {
    return (extent.load(std::memory_order_relaxed) & copied) != 0;
  }
  void mark_copied() noexcept { extent.fetch_or(copied, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return (extent.load(std::memory_order_relaxed) & ~(unkept | copied)) / 2;
  }
  [[nodiscard]] bool writes() const noexcept {
    return (extent.load(std::memory_order_relaxed) & 1) != 0;
  }

  /// The thread that the pin belongs to: a checkout begins, and reads the hints of its blocks next.
  void occupy(std::uint64_t at, std::uint64_t size, bool to_write, std::uintptr_t on) noexcept {
    // relaxed: the store of offset publishes it
    extent.store(size * 2 + (to_write ? 1 : 0), std::memory_order_relaxed);
    frame.store(on, std::memory_order_relaxed);   // relaxed: offset publishes it, too
    offset.store(at, std::memory_order_release);  // pairs with pin_registry::collect
    // The pin is written before the hints are read; pairs with fence_heavy in eviction and release.
    A::fence_light();
  }

  void drop() noexcept {
    // The thread's writes are there before the pin is gone; pairs with pin_registry::collect.
    offset.store(0, std::memory_order_release);
  }
};

struct pin : pin_words<kasuri::detail::real_atomics> {};

}  // namespace kasuri::global::detail
