// SPDX-License-Identifier: Apache-2.0
#include "omp/memory/allocator.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "numa/memory.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

using numa::distribution;

constexpr std::size_t least_alignment = alignof(std::max_align_t);
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
// LLVM's handles and spaces of memory that a device shares, from 100 on: the host's memory here.
constexpr std::uintptr_t first_of_llvm = 100;
constexpr std::uintptr_t last_of_llvm = 102;
constexpr std::uintptr_t last_space = 4;  // omp_low_lat_mem_space

/// An allocator as its traits have made it.
struct allocator {
  std::size_t alignment = least_alignment;
  std::size_t pool_size = no_limit;
  trait_value fallback = trait_value::default_mem_fb;
  allocator_handle fallback_to = null_allocator;
  trait_value partition = trait_value::environment;
  bool pinned = false;
  std::atomic<std::size_t> used{0};

  bool from_pages() const { return pinned || partition != trait_value::environment; }
};

/// In front of each block.
struct header {
  void* begin;        // the first byte that the system gave
  std::size_t taken;  // its bytes
  std::size_t size;   // of the block, as asked for
  allocator* from;    // null: a predefined one
  allocator_handle handle;
  bool pages;
};

header* header_of(void* block) noexcept { return static_cast<header*>(block) - 1; }

/// Whether a block of `bytes` lies in `taken` bytes from `begin`, with its header in front.
[[maybe_unused]] bool lies_within(void* block, std::size_t bytes, const void* begin,
                                  std::size_t taken) noexcept {
  const auto* const first = static_cast<const std::byte*>(begin);
  const auto* const mine = static_cast<const std::byte*>(block);
  return reinterpret_cast<const std::byte*>(header_of(block)) >= first &&
         mine + bytes <= first + taken;
}

/// The allocator of a handle; null for the predefined ones, which are all alike.
allocator* allocator_of(allocator_handle handle) noexcept {
  return is_predefined(handle) ? nullptr : reinterpret_cast<allocator*>(handle);
}

/// Takes bytes out of the pool. False: it has not so many.
bool reserve_bytes(allocator& a, std::size_t bytes) noexcept {
  std::size_t used = a.used.load(std::memory_order_relaxed);
  do {
    KASURI_EXPECT(cheap, used <= a.pool_size, "%zu bytes used of a pool of %zu", used, a.pool_size);
    if (bytes > a.pool_size - used) return false;
  } while (!a.used.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed,
                                         std::memory_order_relaxed));
  return true;
}

/// Gives bytes back to the pool.
void release_bytes(allocator& a, std::size_t bytes) noexcept {
  [[maybe_unused]] const std::size_t before = a.used.fetch_sub(bytes, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, bytes <= before, "%zu bytes come back to a pool that has given %zu", bytes,
                before);
}

/// The partition trait as a distribution. Nearest is near the thread that allocates, even if
/// another one touches it first.
distribution distribution_of(trait_value partition) noexcept {
  switch (partition) {
    case trait_value::nearest:
      return distribution::on_node(numa::this_node());
    case trait_value::blocked:
      return distribution::blocked();
    case trait_value::interleaved:
      return distribution::interleaved();
    default:
      return distribution::first_touch();
  }
}

/// The bytes that a block takes up with its header and the gap before it; `no_limit`: more than
/// there can be.
std::size_t room_for(std::size_t alignment, std::size_t bytes) noexcept {
  KASURI_EXPECT(cheap, std::has_single_bit(alignment) && alignment >= least_alignment,
                "a block at multiples of %zu", alignment);
  const std::size_t in_front = (sizeof(header) + alignment - 1) / alignment * alignment;
  const std::size_t slack = alignment > least_alignment ? alignment - least_alignment : 0;
  return bytes > no_limit - 1 - in_front - slack ? no_limit : in_front + slack + bytes;
}

bool has_pages(const allocator* from) noexcept { return from != nullptr && from->from_pages(); }

/// A block in `taken` bytes from the system, without a look at the pool's limit; null: there are
/// none.
void* take_from_system(std::size_t alignment, std::size_t bytes, std::size_t taken,
                       allocator_handle handle, allocator* from, bool zeroed) noexcept {
  KASURI_EXPECT(cheap, taken >= sizeof(header) && taken - sizeof(header) >= bytes,
                "%zu bytes and a header in %zu", bytes, taken);
  const bool pages = has_pages(from);
  void* begin = pages    ? numa::map(taken, distribution_of(from->partition), {}, from->pinned)
                : zeroed ? std::calloc(1, taken)
                         : std::malloc(taken);
  if (begin == nullptr) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(begin) + sizeof(header);
  void* block = static_cast<char*>(begin) + sizeof(header) +
                ((first + alignment - 1) / alignment * alignment - first);
  KASURI_EXPECT(cheap, lies_within(block, bytes, begin, taken),
                "%zu bytes at %p, outside [%p, +%zu)", bytes, block, begin, taken);
  new (header_of(block)) header{begin, taken, bytes, from, handle, pages};
  return block;
}

/// The same out of the pool; null: it has no room either.
void* take(std::size_t alignment, std::size_t bytes, allocator_handle handle, allocator* from,
           bool zeroed) noexcept {
  const std::size_t taken = room_for(alignment, bytes);
  if (taken == no_limit || (from != nullptr && !reserve_bytes(*from, taken))) return nullptr;
  void* const block = take_from_system(alignment, bytes, taken, handle, from, zeroed);
  if (block == nullptr && from != nullptr) release_bytes(*from, taken);
  return block;
}

/// Gives a block back to the system; its pool is not told.
void give_to_system(const header& old) noexcept {
  if (old.pages)
    numa::free(old.begin, old.taken);
  else
    std::free(old.begin);
}

/// A block of `bytes` instead of the old one, which is gone then, with its contents; null: the
/// system has none. By the C library in place where it can: not where the block has an alignment
/// that it does not keep.
void* exchange_block(void* block, std::size_t alignment, std::size_t bytes, std::size_t taken,
                     allocator_handle handle) noexcept {
  const header old = *header_of(block);
  KASURI_EXPECT(cheap, taken != no_limit && taken >= bytes, "%zu bytes in %zu", bytes, taken);
  const auto in_front =
      static_cast<std::size_t>(static_cast<char*>(block) - static_cast<char*>(old.begin));
  if (!old.pages && alignment == least_alignment && in_front == sizeof(header)) {
    void* const begin = std::realloc(old.begin, taken);
    if (begin == nullptr) return nullptr;
    void* const fresh = static_cast<char*>(begin) + in_front;
    new (header_of(fresh)) header{begin, taken, bytes, old.from, handle, false};
    return fresh;
  }
  void* const fresh = take_from_system(alignment, bytes, taken, handle, old.from, false);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, block, std::min(bytes, old.size));
  give_to_system(old);
  return fresh;
}

/// Changes a block's size within its allocator, of which `handle` is a name: the pool must have
/// room for what it grows by. Null: it has not, or the system has none, and the block is as it was.
void* resize(void* block, std::size_t bytes, allocator_handle handle) noexcept {
  const header old = *header_of(block);
  KASURI_EXPECT(cheap, lies_within(block, old.size, old.begin, old.taken),
                "a block of %zu bytes at %p, with a header of [%p, +%zu)", old.size, block,
                old.begin, old.taken);
  const std::size_t alignment = old.from == nullptr ? least_alignment : old.from->alignment;
  const std::size_t taken = room_for(alignment, bytes);
  if (taken == no_limit) return nullptr;
  const std::size_t more = taken > old.taken ? taken - old.taken : 0;
  if (old.from != nullptr && !reserve_bytes(*old.from, more)) return nullptr;
  void* const fresh = exchange_block(block, alignment, bytes, taken, handle);
  const std::size_t given = fresh == nullptr ? more : old.taken + more - taken;
  if (old.from != nullptr) release_bytes(*old.from, given);
  return fresh;
}

void* fall_back(std::size_t alignment, std::size_t bytes, const allocator& from,
                bool zeroed) noexcept;

void* allocate_from(std::size_t alignment, std::size_t bytes, allocator_handle handle,
                    bool zeroed) noexcept {
  if (bytes == 0) return nullptr;
  allocator* from = allocator_of(handle);
  const std::size_t own = from == nullptr ? least_alignment : from->alignment;
  void* block = take(std::max({alignment, own, least_alignment}), bytes, handle, from, zeroed);
  if (block != nullptr || from == nullptr) return block;
  return fall_back(alignment, bytes, *from, zeroed);
}

void* fall_back(std::size_t alignment, std::size_t bytes, const allocator& from,
                bool zeroed) noexcept {
  switch (from.fallback) {
    case trait_value::null_fb:
      return nullptr;
    case trait_value::abort_fb:
      platform::fatal("openmp: an allocator with the trait fallback=abort_fb cannot give %zu bytes",
                      bytes);
    case trait_value::allocator_fb:
      return allocate_from(alignment, bytes, from.fallback_to, zeroed);
    default:
      return allocate_from(std::max(alignment, from.alignment), bytes, default_mem_alloc, zeroed);
  }
}

// ---- traits -------------------------------------------------------------------------------------

bool is_one_of(trait_value value, trait_value first, trait_value last) noexcept {
  return value >= first && value <= last;
}

/// A trait that is given the value omp_atv_default keeps what the allocator has. The sync_hint and
/// access traits only allow what always holds here: any thread may use any allocator at any time.
bool apply(const trait& t, allocator& a) noexcept {
  const auto value = static_cast<trait_value>(t.value);
  if (value == trait_value::default_) return t.key != trait_key::fb_data;
  switch (t.key) {
    case trait_key::sync_hint:
      return is_one_of(value, trait_value::contended, trait_value::private_);
    case trait_key::access:
      return is_one_of(value, trait_value::all, trait_value::cgroup);
    case trait_key::alignment:
      a.alignment = std::max(t.value, least_alignment);
      return std::has_single_bit(t.value);
    case trait_key::pool_size:
      a.pool_size = t.value;
      return t.value != 0;
    case trait_key::fallback:
      a.fallback = value;
      return is_one_of(value, trait_value::default_mem_fb, trait_value::allocator_fb);
    case trait_key::fb_data:
      a.fallback_to = t.value;
      return t.value != null_allocator;
    case trait_key::pinned:
      a.pinned = value == trait_value::on;
      return is_one_of(value, trait_value::off, trait_value::on);
    case trait_key::partition:
      a.partition = value;
      return is_one_of(value, trait_value::environment, trait_value::interleaved);
  }
  return false;
}

bool known_space(std::uintptr_t space) noexcept {
  return space <= last_space || (space >= first_of_llvm && space <= last_of_llvm);
}

}  // namespace

bool is_predefined(allocator_handle handle) noexcept {
  return handle <= last_predefined || (handle >= first_of_llvm && handle <= last_of_llvm);
}

allocator_handle init_allocator(std::uintptr_t space, std::span<const trait> traits) noexcept {
  if (!known_space(space)) return null_allocator;
  auto* a = new (std::nothrow) allocator;
  if (a == nullptr) return null_allocator;
  bool good = true;
  for (const trait& t : traits) good = good && apply(t, *a);
  good = good && (a->fallback != trait_value::allocator_fb || a->fallback_to != null_allocator);
  KASURI_EXPECT(cheap, !good || (std::has_single_bit(a->alignment) && a->pool_size != 0),
                "alignment %zu, pool of %zu bytes", a->alignment, a->pool_size);
  if (good) return reinterpret_cast<allocator_handle>(a);
  delete a;
  return null_allocator;
}

void destroy_allocator(allocator_handle handle) noexcept { delete allocator_of(handle); }

void* allocate(std::size_t alignment, std::size_t bytes, allocator_handle handle) noexcept {
  return allocate_from(alignment, bytes, handle, false);
}

void* allocate_zeroed(std::size_t alignment, std::size_t bytes, allocator_handle handle) noexcept {
  return allocate_from(alignment, bytes, handle, true);
}

void* reallocate(void* block, std::size_t bytes, allocator_handle handle,
                 allocator_handle free_handle) noexcept {
  if (bytes == 0) {
    deallocate(block);
    return nullptr;
  }
  if (block == nullptr) return allocate(0, bytes, handle);
  const header* old = header_of(block);
  // The block's own allocator stands for one that is not named.
  allocator_handle into = handle;
  if (into == null_allocator) into = free_handle != null_allocator ? free_handle : old->handle;
  const bool stays = allocator_of(into) == old->from;
  if (stays) {
    if (void* const same = resize(block, bytes, into)) return same;
    if (old->from == nullptr) return nullptr;
  }
  void* fresh = stays ? fall_back(0, bytes, *old->from, false) : allocate(0, bytes, into);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, block, std::min(bytes, old->size));
  deallocate(block);
  return fresh;
}

void deallocate(void* block) noexcept {
  if (block == nullptr) return;
  const header old = *header_of(block);
  KASURI_EXPECT(cheap, lies_within(block, old.size, old.begin, old.taken),
                "a block of %zu bytes at %p, with a header of [%p, +%zu)", old.size, block,
                old.begin, old.taken);
  if (old.from != nullptr) release_bytes(*old.from, old.taken);
  give_to_system(old);
}

std::size_t bytes_in_use(allocator_handle handle) noexcept {
  const allocator* a = allocator_of(handle);
  return a == nullptr ? 0 : a->used.load(std::memory_order_relaxed);
}

}  // namespace kasuri::omp
