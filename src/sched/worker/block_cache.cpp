// SPDX-License-Identifier: Apache-2.0
#include "sched/worker/block_cache.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "platform/base/expect.hpp"
#include "platform/memory/memory.hpp"
#include "platform/thread/mutex.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

// A chain of free blocks; the first block of a chain holds the next chain as well.
struct chain_head : free_block {
  chain_head* next_chain;
  std::uint32_t count;
};
static_assert(sizeof(chain_head) <= block_sizes[0]);
static_assert(std::size(block_sizes) == block_classes && std::ranges::is_sorted(block_sizes));
static_assert(std::ranges::all_of(block_sizes,
                                  [](std::size_t n) { return n % block_sizes[0] == 0; }));

// Regions that blocks are cut from: each as large as all before together, within these bounds. Not
// of huge pages: a virtual machine may have none at hand, and a million threads then took four
// times as long as with small ones.
constexpr std::size_t smallest_region = std::size_t{256} << 10;
constexpr std::size_t largest_region = std::size_t{8} << 20;
static_assert(block_sizes[block_classes - 1] * block_batch <= smallest_region);

struct block_pool {
  platform::mutex lock;  // guards all
  chain_head* chains[block_classes] = {};
  std::byte* uncut = nullptr;
  std::size_t bytes_uncut = 0;
  std::size_t reserved = 0;
};

constinit block_pool the_blocks;

block_pool& blocks() noexcept { return the_blocks; }

chain_head* take_chain(int c) noexcept {
  block_pool& p = blocks();
  const std::lock_guard hold(p.lock);
  chain_head* head = p.chains[c];
  KASURI_EXPECT(cheap, head == nullptr || head->count != 0, "chain %p of class %d has no blocks",
                static_cast<void*>(head), c);
  if (head != nullptr) p.chains[c] = head->next_chain;
  return head;
}

/// Memory of a batch of blocks never used before; null when the system has none.
std::byte* cut(std::size_t bytes) noexcept {
  block_pool& p = blocks();
  const std::lock_guard hold(p.lock);
  if (p.bytes_uncut < bytes) {  // the rest is less than a batch
    const std::size_t region = std::clamp(p.reserved, smallest_region, largest_region);
    void* const memory = platform::reserve(region);
    if (memory == nullptr) return nullptr;
    p.uncut = static_cast<std::byte*>(memory);
    p.bytes_uncut = region;
    p.reserved += region;
  }
  KASURI_EXPECT(cheap, p.bytes_uncut >= bytes && bytes % block_sizes[0] == 0,
                "%zu bytes of a region with %zu left", bytes, p.bytes_uncut);
  p.bytes_uncut -= bytes;
  platform::populate(p.uncut, bytes);  // the list of free blocks is about to be written all over it
  return std::exchange(p.uncut, p.uncut + bytes);
}

}  // namespace

void put_blocks(int c, free_block* first, std::uint32_t count) noexcept {
  KASURI_EXPECT(cheap, count != 0 && c >= 0 && c < block_classes, "%u blocks of class %d", count,
                c);
  check_chain(first, count);
  free_block* const rest = first->next;
  auto* head = static_cast<chain_head*>(first);
  head->next = rest;
  head->count = count;
  block_pool& p = blocks();
  const std::lock_guard hold(p.lock);
  head->next_chain = p.chains[c];
  p.chains[c] = head;
}

free_block* take_blocks(int c, std::uint32_t& count) noexcept {
  if (chain_head* head = take_chain(c)) {
    count = head->count;
    check_chain(head, count);
    return head;
  }
  const std::size_t size = block_sizes[c];
  std::byte* const memory = cut(size * block_batch);
  if (memory == nullptr) return nullptr;
  free_block* first = nullptr;
  for (std::uint32_t i = block_batch; i-- > 0;) {
    auto* b = reinterpret_cast<free_block*>(memory + size * i);
    b->next = first;
    first = b;
  }
  count = block_batch;
  return first;
}

void* block_cache::refill(int c) noexcept {
  list& l = lists_[c];
  free_block* const first = take_blocks(c, l.count);
  if (first == nullptr) return nullptr;
  l.head = first->next;
  --l.count;
  return first;
}

void block_cache::spill(int c) noexcept {
  list& l = lists_[c];
  while (l.count > most / 2) {
    free_block* first = l.head;
    free_block* last = first;
    for (std::uint32_t i = 1; i != block_batch; ++i) last = last->next;
    l.head = last->next;
    l.count -= block_batch;
    last->next = nullptr;
    put_blocks(c, first, block_batch);
  }
}

void block_cache::clear() noexcept {
  for (int c = 0; c != block_classes; ++c) {
    list& l = lists_[c];
    if (l.head != nullptr) put_blocks(c, l.head, l.count);
    l = {};
  }
}

void lock_blocks() noexcept { blocks().lock.lock(); }
void unlock_blocks() noexcept { blocks().lock.unlock(); }

namespace {

// Out of line: with a cache on their stack the two below would save registers first, a third of
// their instructions.

[[gnu::noinline]] void* allocate_outside(int c) noexcept {
  block_cache outside;
  void* block = outside.take(c);
  outside.clear();
  return block;
}

[[gnu::noinline]] void free_outside(void* block, int c) noexcept {
  block_cache outside;
  outside.put(block, c);
  outside.clear();
}

}  // namespace

void* allocate_block(int c) noexcept {
  worker* const w = current();
  return w != nullptr ? w->blocks.take(c) : allocate_outside(c);
}

void free_block_of(void* block, int c) noexcept {
  worker* const w = current();
  return w != nullptr ? w->blocks.put(block, c) : free_outside(block, c);
}

void* allocate_record(std::size_t bytes) noexcept {
  const int c = block_class(bytes);
  return c < 0 ? ::operator new(bytes, std::align_val_t{block_sizes[0]}, std::nothrow)
               : allocate_block(c);
}

void free_record(void* record, std::size_t bytes) noexcept {
  const int c = block_class(bytes);
  if (c < 0)
    ::operator delete(record, std::align_val_t{block_sizes[0]}, std::nothrow);
  else
    free_block_of(record, c);
}

}  // namespace kasuri::sched
