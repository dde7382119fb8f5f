// SPDX-License-Identifier: Apache-2.0
#pragma once

// The global memory that is checked out, by any thread of the process: hazard pointers for ranges
// (Michael, IEEE TPDS 15(6), 2004), with the fence moved to the rare side.
//
//   A checkout                              A taker
//     1. writes its pin                       1. clears hints
//     2. (no fence)                           2. fence_heavy()
//     3. reads the hints of its blocks        3. reads all pins
//
// so that either the checkout's hint is gone, and it goes on to the lock of the block, which the
// taker holds, or the taker sees its pin. Takers are: eviction, which leaves pinned blocks alone,
// and release, which leaves bytes checked out for writing dirty.
//
// A thread has a few pins of its own, in nodes that it adds when they do not suffice. It puts a
// node into the list before it writes a pin of it, and both before (2). A pin is free when its
// offset is zero. The guard may drop it on another thread; only the owner claims it. No lock:
// threads that wait for one would look blocked to the pool, which starts others for them, and these
// would wait for it, too.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "cluster/base/kept_list.hpp"
#include "kasuri/global/detail/pin.hpp"

namespace kasuri::cluster {

using global::detail::pin;

/// The pins of one thread for one memory.
struct alignas(64) thread_pins {
  static constexpr std::size_t count = 8;
  pin pins[count];
  std::atomic<std::uint64_t> hits{0};       // written by the thread alone
  std::atomic<thread_pins*> more{nullptr};  // of the same thread; read by it alone
  thread_pins* next = nullptr;              // in the list of all; written by the list
  // Of a thread's first node; nobody: of another one. A thread with the number of one that has
  // ended takes its nodes over.
  std::thread::id owner;

  /// The next node of the thread; null: this is the last.
  [[nodiscard]] thread_pins* next_of_thread() const noexcept {
    // acquire: pairs with the release in pin_registry::extend of a thread that has ended
    return more.load(std::memory_order_acquire);
  }
  /// Null: all are in use.
  [[nodiscard]] pin* free_pin() noexcept {
    for (pin& p : pins)
      if (p.offset.load(std::memory_order_relaxed) == 0) return &p;
    return nullptr;
  }
  void count_hit() noexcept {
    hits.store(hits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};

/// A checkout that lasts: the memory, and the pin that keeps it (null where nothing needs to).
struct held {
  std::byte* data = nullptr;
  pin* kept = nullptr;
};

/// A checkout as others see it.
struct pinned_range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool writes = false;
  std::uintptr_t frame = 0;  // on the stack of the task whose checkout it is
};

/// The checkout that lasts in `p`, if there is one. A pin that its owner claims anew meanwhile
/// belongs to a checkout that waits for the caller's locks: what is read of it, even of two
/// checkouts mixed, keeps too much at worst.
template <class A>
[[nodiscard]] std::optional<pinned_range> range_of(const global::detail::pin_words<A>& p) noexcept {
  // acquire: the thread that drops the pin has written what it had to; pairs with pin::drop
  const std::uint64_t offset = p.offset.load(std::memory_order_acquire);
  if (offset == 0) return std::nullopt;
  return pinned_range{offset, offset + p.bytes(), p.writes(),
                      p.frame.load(std::memory_order_relaxed)};
}

class pin_registry {
 public:
  pin_registry() = default;
  ~pin_registry();
  pin_registry(const pin_registry&) = delete;
  pin_registry& operator=(const pin_registry&) = delete;

  /// The calling thread's first node. Walks over those of all threads.
  thread_pins& mine();
  /// More pins for the thread that `first` belongs to, which calls.
  thread_pins& extend(thread_pins& first);

  /// All checkouts that may last at this moment. The caller has cleared the hints of what it asks
  /// about and called fence_heavy(), or holds what every checkout needs.
  [[nodiscard]] std::vector<pinned_range> collect() const;

  /// Sum over the threads.
  [[nodiscard]] std::uint64_t hits() const;

 private:
  kept_list<thread_pins> nodes_;
};

}  // namespace kasuri::cluster
