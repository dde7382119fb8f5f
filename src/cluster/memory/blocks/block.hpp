// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of one block of global memory in a process: 64 bytes in a table with a place for every
// block of the address range, zero for a block it has never met.
//
// Under the lock:
//   valid   bytes that are here and current, unless the block is suspect
//   dirty   of these, the bytes written here that their home, or others, have not been told of
// Invariants: dirty is part of valid. The bytes of a checkout are in valid as long as it lasts,
// those of a writing one in dirty too: so nothing that a fetch brings, which is what is missing in
// valid, and nothing that a release takes, can meet them.
//
// Without it: `readable` and `writable` are each one range of valid and of dirty (or empty), from
// which a checkout learns that nothing needs to be done. They are shrunk before the sets are; how
// that is made safe against checkouts that go by them at that moment is in checkouts/pins.hpp.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cluster/memory/base/byte_set.hpp"
#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

/// One range of a block in a word. A is the atomics, here and below.
template <class A>
class range_hint_of {
 public:
  [[nodiscard]] bool covers(std::uint32_t begin, std::uint32_t end) const noexcept {
    // pairs with set(): a thread that finds the range finds its bytes
    const std::uint64_t w = word_.load(std::memory_order_acquire);
    return (w >> 32) <= begin && end <= static_cast<std::uint32_t>(w);
  }
  void set(byte_range r) noexcept {
    KASURI_EXPECT(cheap, r.begin <= r.end, "bytes %u to %u may be used", r.begin, r.end);
    // pairs with covers()
    word_.store(std::uint64_t{r.begin} << 32 | r.end, std::memory_order_release);
  }
  void clear() noexcept {
    // relaxed: before the fence in pinned() of cluster/memory/cache/evictor.cpp, bring_home() of
    // cluster/memory/cache/writer.cpp
    word_.store(0, std::memory_order_relaxed);
  }
  [[nodiscard]] bool empty() const noexcept { return word_.load(std::memory_order_relaxed) == 0; }
  /// As it is now, for the walk over the blocks.
  [[nodiscard]] byte_range range() const noexcept {
    const std::uint64_t w = word_.load(std::memory_order_relaxed);
    return {static_cast<std::uint32_t>(w >> 32), static_cast<std::uint32_t>(w)};
  }

 private:
  typename A::template atomic<std::uint64_t> word_{0};
};
using range_hint = range_hint_of<kasuri::detail::real_atomics>;

template <class A>
struct block_of {
  enum : std::uint32_t {
    locked = 1,
    resident = 2,     // has a place in the cache
    suspect = 4,      // valid holds unless the home's version has changed
    listed = 8,       // is in the list of dirty blocks
    stamped = 16,     // `stamp` is the version from before the first fetch
    touched = 32,     // used since the last look of the eviction
    dropped = 64,     // was here before (for the counters)
    relisted = 128,   // checked out for writing during a release: goes back to the list
    spare = 256,      // evicted, but its memory is still there for another block
    watched = 512,    // is in the list of blocks that become suspect with all others
    doubted = 1024,   // was given up as suspect, for want of a version
    arriving = 2048,  // locked by a fetch that nobody waits for yet: cache/arrivals.hpp
  };

  alignas(64) range_hint_of<A> readable;
  range_hint_of<A> writable;
  typename A::template atomic<std::uint32_t> state{0};
  std::uint64_t stamp = 0;
  byte_set valid;
  byte_set dirty;

  [[nodiscard]] bool try_lock() noexcept {
    // acquire: pairs with unlock()
    return (state.fetch_or(locked, std::memory_order_acquire) & locked) == 0;
  }
  void unlock() noexcept {
    // pairs with try_lock()
    [[maybe_unused]] const std::uint32_t before =
        state.fetch_and(~std::uint32_t{locked}, std::memory_order_release);
    KASURI_EXPECT(cheap, (before & (locked | arriving)) == locked,
                  "a block is unlocked in state %#x: not locked, or by a fetch", before);
  }

  // A fetch and a notice do not miss one another. The locked instruction of try_lock() is no fence:
  // on AArch64 a later load may be performed before its store.
  //   fetch    1. locks the block     2. fence_before_fetch()   3. reads the home
  //   notice   1. tells of the home   2. fence_before_look()    3. untouched()
  /// The caller has locked blocks, and reads their homes next.
  static void fence_before_fetch() noexcept {
    A::fence_full();  // pairs with the fence in fence_before_look
  }
  /// The caller knows of writes to the homes of blocks, and looks at the blocks next.
  static void fence_before_look() noexcept {
    A::fence_full();  // pairs with the fence in fence_before_fetch
  }
  /// Nothing of the block is here, nor is on its way: a fetch that begins later brings what the
  /// caller knows of. Behind fence_before_look().
  [[nodiscard]] bool untouched() const noexcept {
    // relaxed: after the fence in fence_before_look()
    return (state.load(std::memory_order_relaxed) & (locked | resident)) == 0;
  }
  [[nodiscard]] bool has(std::uint32_t flag) const noexcept {
    return (state.load(std::memory_order_relaxed) & flag) != 0;
  }
  void set(std::uint32_t flags) noexcept {
    KASURI_EXPECT(cheap, (flags & locked) == 0, "flags %#x are set past the lock", flags);
    state.fetch_or(flags, std::memory_order_relaxed);
  }
  void reset(std::uint32_t flags) noexcept {
    KASURI_EXPECT(cheap, (flags & locked) == 0, "flags %#x are reset past the lock", flags);
    state.fetch_and(~flags, std::memory_order_relaxed);
  }
  void touch() noexcept {
    if (!has(touched)) set(touched);
  }

  /// The invariant of the sets and hints of a copy that does not hold, or null; for the thread that
  /// has it locked.
  [[nodiscard]] const char* check_sets() const noexcept {
    if (const char* wrong = valid.check()) return wrong;
    if (const char* wrong = dirty.check()) return wrong;
    for (const byte_range part : dirty.parts())
      if (!valid.covers(part)) return "bytes of a block are dirty and not valid";
    if (!readable.empty() && (has(suspect) || !valid.covers(readable.range())))
      return "the bytes of a block that may be read are not valid";
    if (!writable.empty() && !dirty.covers(writable.range()))
      return "the bytes of a block that may be written are not dirty";
    return nullptr;
  }
  /// The invariant of a copy that does not hold, or null; while nobody is at work on it.
  [[nodiscard]] const char* check() const noexcept {
    if (const char* wrong = check_sets()) return wrong;
    return has(locked) ? "a block is still locked" : nullptr;
  }

  /// Lets checkouts go by the sets as they are; of several ranges by the one around `r`.
  void publish(byte_range r) noexcept {
    readable.set(has(suspect) ? byte_range{} : valid.around(r));
    writable.set(dirty.around(r));
  }
};
using block = block_of<kasuri::detail::real_atomics>;
static_assert((block::locked ^ block::resident ^ block::suspect ^ block::listed ^ block::stamped ^
               block::touched ^ block::dropped ^ block::relisted ^ block::spare ^ block::watched ^
               block::doubted ^ block::arriving) == (1u << 12) - 1,
              "each flag is a bit of its own");
static_assert(sizeof(block) == 64 && alignof(block) == 64);

}  // namespace kasuri::cluster
