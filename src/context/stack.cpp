// SPDX-License-Identifier: Apache-2.0
#include "context/stack.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <new>

#include "context/valgrind.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "platform/memory/memory.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::context {

constinit std::atomic<slab*> slab_list{nullptr};

namespace {

// The first slab has this many bytes, each later one as much as all before: a small program takes
// little of what its user may have limited (ulimit -v). Of a limit one slab takes a sixteenth at
// most.
constexpr std::size_t bytes_of_first_slab = std::size_t{32} << 20;
constexpr std::size_t slabs_of_limit = 16;
// Free stacks beyond this number give their memory back: what a burst touched does not stay.
constexpr std::size_t keep_touched = 1024;
// By page protection each guard page is a mapping and makes its stack one.
constexpr std::size_t mappings_per_guard = 2;
// These guard pages take this part of the mappings that the program has left at the first of them.
// Once they took all, and the next slab was refused: blocked tasks had an end where guard pages
// ought to have one.
constexpr std::size_t guards_of_mappings = 2;

struct stack_pool {
  platform::mutex lock;  // guards free, free_count, bytes, guards
  stack* free = nullptr;
  std::size_t free_count = 0;
  std::size_t cut = 0;
  std::size_t room = 0;  // stacks of all slabs, cut and uncut
  std::size_t bytes = std::size_t{1} << 20;
  bool guards = true;
  bool marks = true;     // guard pages are marked, as far as the kernel has not refused it
  bool counted = false;  // protections_left is known
  std::size_t protections_left = 0;
  bool warned = false;
};

constinit stack_pool the_pool;

stack_pool& pool() noexcept { return the_pool; }

std::size_t stride(const stack_pool& p) noexcept { return p.bytes + platform::page_size(); }

/// Where the record of a stack lies; the stack ends there.
stack* stack_at(std::byte* start, std::size_t stride, std::size_t index) noexcept {
  std::byte* end = start + stride * (index + 1) - stagger * (index % stagger_colours);
  const auto at = reinterpret_cast<std::uintptr_t>(end - sizeof(stack)) & ~std::uintptr_t{63};
  return reinterpret_cast<stack*>(at);
}

/// A guard page by page protection, while there are mappings for such.
bool protect(stack_pool& p, std::byte* page) noexcept {
  if (!p.counted) {
    p.counted = true;
    const std::size_t most = platform::most_mappings();
    const std::size_t left = most - std::min(most, platform::mappings());
    p.protections_left = left / guards_of_mappings / mappings_per_guard;
  }
  if (p.protections_left == 0) return false;
  if (!platform::protect_guard(page, platform::page_size())) {
    p.protections_left = 0;  // the program has taken the rest
    return false;
  }
  --p.protections_left;
  return true;
}

void guard(stack_pool& p, std::byte* page) noexcept {
  if (p.marks) p.marks = platform::mark_guard(page, platform::page_size());
  if (p.marks) return;
  if (protect(p, page) || p.warned) return;
  p.warned = true;
  platform::warn(
      "no guard page for a stack: on this kernel each costs two mappings, and the process may have "
      "%zu "
      "(vm.max_map_count); stack overflows from here on go unnoticed; accepted: a higher "
      "vm.max_map_count, or "
      "KASURI_GUARD_PAGES=off to silence this",
      platform::most_mappings());
}

stack* cut_stack(stack_pool& p, std::byte* start, std::size_t index) noexcept {
  std::byte* low = start + stride(p) * index;
  stack* s = new (stack_at(start, stride(p), index)) stack;
  s->low = low + platform::page_size();
  s->high = reinterpret_cast<std::byte*>(s);
  tell_valgrind_of_stack(s->low, s->high);
  if (p.guards) guard(p, low);
  return s;
}

std::size_t stacks_of_next_slab(const stack_pool& p) noexcept {
  const std::size_t wanted = std::max(p.room, bytes_of_first_slab / stride(p));
  const std::size_t allowed = platform::address_space_limit() / slabs_of_limit / stride(p);
  return std::clamp<std::size_t>(std::min(wanted, allowed), 1, most_stacks_per_slab);
}

/// A new slab, as large as can be had; null when the system has not even room for one stack.
slab* grow(stack_pool& p) noexcept {
  std::size_t stacks = stacks_of_next_slab(p);
  void* start = nullptr;
  for (; stacks != 0; stacks /= 2)
    if ((start = platform::reserve_for_stacks(stride(p) * stacks)) != nullptr) break;
  if (start == nullptr) return nullptr;
  auto* node = new (std::nothrow) slab{slab_list.load(std::memory_order_relaxed),
                                       static_cast<std::byte*>(start), stride(p), stacks};
  if (node == nullptr) {
    platform::release(start, stride(p) * stacks);
    return nullptr;
  }
  p.room += stacks;
  // release: pairs with the acquire in slabs, whose reader looks at the fields just written
  slab_list.store(node, std::memory_order_release);
  return node;
}

/// A stack that was never used before.
stack* cut_next(stack_pool& p) noexcept {
  slab* node = slab_list.load(std::memory_order_relaxed);
  if (p.cut == p.room && (node = grow(p)) == nullptr) return nullptr;
  const std::size_t before = node->cut.load(std::memory_order_relaxed);
  stack* const s = cut_stack(p, node->start, node->stacks - 1 - before);
  // release: pairs with the acquire in visitors, which look at the record just built
  node->cut.store(before + 1, std::memory_order_release);
  ++p.cut;
  return s;
}

const slab* slabs() noexcept {
  // acquire: pairs with the release in grow
  return slab_list.load(std::memory_order_acquire);
}

}  // namespace

void configure_stacks(std::size_t bytes, bool guard_pages) noexcept {
  stack_pool& p = pool();
  const std::lock_guard hold(p.lock);
  if (slabs() != nullptr) return;  // a pool that starts again keeps the size of the first
  const std::size_t page = platform::page_size();
  p.bytes = (bytes + page - 1) / page * page;
  p.guards = guard_pages;
}

std::size_t stack_bytes() noexcept {
  const slab* const newest = slabs();
  return newest == nullptr ? 0 : newest->stride - platform::page_size();
}

stack* allocate_stack() noexcept {
  stack_pool& p = pool();
  const std::lock_guard hold(p.lock);
  if (p.free == nullptr) {
    // The caller does not see an errno of the system's refusal: it may take guards otherwise.
    const int error = errno;
    stack* const cut = cut_next(p);
    errno = error;
    return cut;
  }
  stack* s = p.free;
  p.free = s->next;
  --p.free_count;
  return s;
}

void release_stacks(stack* chain) noexcept {
  stack_pool& p = pool();
  const std::lock_guard hold(p.lock);
  const std::size_t page = platform::page_size();
  while (chain != nullptr) {
    stack* s = chain;
    chain = s->next;
    if (p.free_count >= keep_touched) {
      const auto last = reinterpret_cast<std::uintptr_t>(s->high) / page * page;
      platform::discard(s->low, last - reinterpret_cast<std::uintptr_t>(s->low));
    }
    s->next = p.free;
    p.free = s;
    ++p.free_count;
  }
}

std::size_t stacks_in_use() noexcept {
  stack_pool& p = pool();
  const std::lock_guard hold(p.lock);
  return p.cut - p.free_count;
}

const stack* stack_around(const void* address) noexcept {
  const auto* at = static_cast<const std::byte*>(address);
  for (const slab* sl = slabs(); sl != nullptr; sl = sl->next)
    if (at >= sl->start && at < sl->start + sl->stride * sl->stacks)
      return stack_at(sl->start, sl->stride, static_cast<std::size_t>(at - sl->start) / sl->stride);
  return nullptr;
}

const stack* stack_overflowed_at(const void* address) noexcept {
  const stack* const s = stack_around(address);
  return s != nullptr && address < s->low ? s : nullptr;
}

bool is_on_slab(const void* address) noexcept {
  const auto* at = static_cast<const std::byte*>(address);
  for (const slab* sl = slabs(); sl != nullptr; sl = sl->next)
    if (at >= sl->start && at < sl->start + sl->stride * sl->stacks) return true;
  return false;
}

void for_each_stack(void (*visit)(stack*, void*), void* arg) {
  for (const slab* sl = slabs(); sl != nullptr; sl = sl->next) {
    // acquire: pairs with the release in cut_next
    const std::size_t cut = sl->cut.load(std::memory_order_acquire);
    for (std::size_t i = sl->stacks - cut; i != sl->stacks; ++i)
      visit(stack_at(sl->start, sl->stride, i), arg);
  }
}

void lock_stacks() noexcept { pool().lock.lock(); }
void unlock_stacks() noexcept { pool().lock.unlock(); }

void stack_cache::spill() noexcept {
  stack* keep = head_;
  for (std::size_t i = 1; i != most / 2; ++i) keep = keep->next;
  release_stacks(keep->next);
  keep->next = nullptr;
  count_ = most / 2;
}

void stack_cache::clear() noexcept {
  release_stacks(head_);
  head_ = nullptr;
  count_ = 0;
}

}  // namespace kasuri::context
