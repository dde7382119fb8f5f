// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory for the records of detached tasks and threads: blocks of three sizes, kept per worker.
//
// The worker that frees a block keeps it; a worker with too many passes half of them to the global
// pool, from which others refill. Blocks are never given back to the system: other threads may look
// at the slot of a block that is just being reused (a racy peek), never at unmapped memory.

#include <cstddef>
#include <cstdint>

#include "kasuri/detail/deque_face.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {

using free_block = detail::free_record;

inline constexpr std::size_t block_sizes[] = {64, 128, 256};
inline constexpr int block_classes = 3;

/// Free blocks go to and from the global pool by so many.
inline constexpr std::uint32_t block_batch = 256;

/// A list of free blocks of class c from the global pool or fresh, its length in `count`; null when
/// there is no memory.
free_block* take_blocks(int c, std::uint32_t& count) noexcept;

/// Gives a list of `count` blocks to the global pool.
void put_blocks(int c, free_block* first, std::uint32_t count) noexcept;

/// In the trees that run invariants: a list of `count` blocks, and no more. A walk.
inline void check_chain(const free_block* first, std::uint32_t count) noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  std::uint32_t n = 0;
  for (const free_block* b = first; b != nullptr; b = b->next, ++n)
    KASURI_EXPECT(all, n < count && reinterpret_cast<std::uintptr_t>(b) % block_sizes[0] == 0,
                  "block %u of a chain of %u is %p", n, count, static_cast<const void*>(b));
  KASURI_EXPECT(all, n == count, "a chain of %u blocks has %u", count, n);
}

/// The class of a request, or -1 when it is too large for blocks.
constexpr int block_class(std::size_t bytes) noexcept {
  for (int c = 0; c != block_classes; ++c)
    if (bytes <= block_sizes[c]) return c;
  return -1;
}

class block_cache {
 public:
  /// A block of class c, 64-byte aligned; null when there is no memory.
  void* take(int c) noexcept {
    list& l = lists_[c];
    if (l.head == nullptr) [[unlikely]]
      return refill(c);
    KASURI_EXPECT(cheap, l.count != 0, "a list of class %d that has blocks counts %u", c, l.count);
    free_block* b = l.head;
    l.head = b->next;
    --l.count;
    return b;
  }

  void put(void* block, int c) noexcept {
    list& l = lists_[c];
    auto* b = static_cast<free_block*>(block);
    KASURI_EXPECT(cheap, b != l.head && reinterpret_cast<std::uintptr_t>(b) % block_sizes[0] == 0,
                  "block %p of class %d comes back, the last that did is %p", block, c,
                  static_cast<void*>(l.head));
    b->next = l.head;
    l.head = b;
    if (++l.count > most) spill(c);
  }

  /// Empties the cache into the global pool.
  void clear() noexcept;

  /// In the trees that run invariants: each list is as long as it says. A walk.
  void check() const noexcept {
    for (const list& l : lists_) check_chain(l.head, l.count);
  }

 private:
  static constexpr std::uint32_t most = 4 * block_batch;

  struct list {
    free_block* head = nullptr;
    std::uint32_t count = 0;
  };

  /// A block of a class that it has none of, as take.
  void* refill(int c) noexcept;
  void spill(int c) noexcept;

  list lists_[block_classes];
};

/// A block of a class known beforehand, as allocate_record.
void* allocate_block(int c) noexcept;
void free_block_of(void* block, int c) noexcept;

/// A block from the calling worker's cache, or from the global pool on other threads; null when
/// there is no memory. Larger requests go to operator new. Free with free_record, same size.
void* allocate_record(std::size_t bytes) noexcept;
void free_record(void* record, std::size_t bytes) noexcept;

/// Around fork().
void lock_blocks() noexcept;
void unlock_blocks() noexcept;

}  // namespace kasuri::sched
