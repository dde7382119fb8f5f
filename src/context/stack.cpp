// SPDX-License-Identifier: Apache-2.0
#include "context/stack.hpp"

#include <atomic>
#include <mutex>
#include <new>

#include "platform/fatal.hpp"
#include "platform/memory.hpp"

namespace kasuri::context {
namespace {

constexpr std::size_t stacks_per_slab = 64;
constexpr std::size_t colours = 16;
constexpr std::size_t colour_bytes = 64;
// Free stacks beyond this number give their memory back: what a burst touched does not stay.
constexpr std::size_t keep_touched = 1024;

// Slabs are only ever added, at the front, fully built: readers need no lock.
struct slab {
  slab* next;
  std::byte* start;
};

struct stack_pool {
  std::mutex lock;  // guards free, free_count, bytes, guards
  stack* free = nullptr;
  std::size_t free_count = 0;
  std::size_t cut = 0;
  std::size_t bytes = std::size_t{1} << 20;
  bool guards = true;
  bool warned = false;
  std::atomic<slab*> slabs{nullptr};
};

// Never destroyed: static destructors may still run tasks.
stack_pool& pool() noexcept {
  static stack_pool* const p = new stack_pool;
  return *p;
}

std::size_t stride(const stack_pool& p) noexcept { return p.bytes + platform::page_size(); }

stack* record_of(std::byte* start, std::size_t stride, std::size_t index) noexcept {
  std::byte* end = start + stride * (index + 1) - colour_bytes * (index % colours);
  return reinterpret_cast<stack*>(end - sizeof(stack));
}

stack* cut_stack(stack_pool& p, std::byte* start, std::size_t index) noexcept {
  std::byte* low = start + stride(p) * index;
  auto at = reinterpret_cast<std::uintptr_t>(record_of(start, stride(p), index)) & ~std::uintptr_t{63};
  stack* s = new (reinterpret_cast<void*>(at)) stack;
  s->low = low + platform::page_size();
  s->high = reinterpret_cast<std::byte*>(at);
  if (p.guards && !platform::install_guard(low, platform::page_size()) && !p.warned) {
    p.warned = true;
    platform::warn(
        "no guard page for a stack: the process has too many mappings; stack overflows from here on "
        "go unnoticed (raise vm.max_map_count, or set KASURI_GUARD_PAGES=off to silence this)");
  }
  return s;
}

/// Cuts a new slab into stacks; null when the system has no address space left.
stack* grow(stack_pool& p) noexcept {
  auto* start = static_cast<std::byte*>(platform::reserve_for_stacks(stride(p) * stacks_per_slab));
  if (start == nullptr) return nullptr;
  auto* node = new (std::nothrow) slab{p.slabs.load(std::memory_order_relaxed), start};
  if (node == nullptr) {
    platform::release(start, stride(p) * stacks_per_slab);
    return nullptr;
  }
  for (std::size_t i = stacks_per_slab; i-- > 0;) {
    stack* s = cut_stack(p, start, i);
    s->next = p.free;
    p.free = s;
  }
  p.free_count += stacks_per_slab;
  p.cut += stacks_per_slab;
  // release: pairs with the acquire in slabs_of, whose reader walks the records just built
  p.slabs.store(node, std::memory_order_release);
  return p.free;
}

const slab* slabs_of(const stack_pool& p) noexcept {
  // acquire: pairs with the release in grow
  return p.slabs.load(std::memory_order_acquire);
}

stack* stack_of(const stack_pool& p, const slab& sl, std::size_t index) noexcept {
  auto at =
      reinterpret_cast<std::uintptr_t>(record_of(sl.start, stride(p), index)) & ~std::uintptr_t{63};
  return reinterpret_cast<stack*>(at);
}

}  // namespace

void configure_stacks(std::size_t bytes, bool guard_pages) noexcept {
  stack_pool& p = pool();
  const std::lock_guard hold(p.lock);
  if (slabs_of(p) != nullptr) return;  // a pool that starts again keeps the size of the first
  const std::size_t page = platform::page_size();
  p.bytes = (bytes + page - 1) / page * page;
  p.guards = guard_pages;
}

stack* allocate_stack() noexcept {
  stack_pool& p = pool();
  const std::lock_guard hold(p.lock);
  if (p.free == nullptr && grow(p) == nullptr) return nullptr;
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

const stack* stack_overflowed_at(const void* address) noexcept {
  const stack_pool& p = pool();
  const auto* at = static_cast<const std::byte*>(address);
  for (const slab* sl = slabs_of(p); sl != nullptr; sl = sl->next) {
    if (at < sl->start || at >= sl->start + stride(p) * stacks_per_slab) continue;
    const auto offset = static_cast<std::size_t>(at - sl->start);
    if (offset % stride(p) >= platform::page_size()) return nullptr;
    return stack_of(p, *sl, offset / stride(p));
  }
  return nullptr;
}

void for_each_stack(void (*visit)(stack*, void*), void* arg) {
  const stack_pool& p = pool();
  for (const slab* sl = slabs_of(p); sl != nullptr; sl = sl->next)
    for (std::size_t i = 0; i != stacks_per_slab; ++i) visit(stack_of(p, *sl, i), arg);
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
