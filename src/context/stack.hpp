// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stacks for user-level threads.
//
//     low                                                             high
//      | guard |              usable, grows down             | stack |
//
// Stacks are cut from large mappings (slabs) that are never unmapped, so that a debugger can walk
// them all. The `stack` record lies at the high end of its own stack: the page that the first call
// touches anyway. Tops are staggered (64 bytes times 16 colours): equal tops would compete for the
// same cache sets.
//
// A worker keeps some free stacks of its own (stack_cache, owner only); the rest lies in one global
// pool behind a lock.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "context/sanitizer.hpp"
#include "kasuri/global/detail/fork_chain.hpp"

namespace kasuri::sched {
struct worker;
}

namespace kasuri::context {

struct stack {
  global::detail::fork_chain* forks = nullptr;  // of a program on several ranks; the first member
  std::byte* low = nullptr;                     // lowest usable byte; 0 for a stack of the system
  std::byte* high = nullptr;      // one past the highest usable byte; where a context starts
  stack* next = nullptr;          // in a free list
  void* waiting = nullptr;        // the suspended thread that stands on it, for dump and debugger
  std::uint64_t suspensions = 0;  // how often a thread on it was suspended
  // The worker whose thread-locals are used on it (sched/worker/identity.cpp).
  sched::worker* home = nullptr;
  sanitizer_fiber fiber;  // the sanitizers' record of it
  // The task on it asked to go on on the OS thread where it waits (sched/run/loop.hpp). It alone
  // reads and writes this.
  bool keeps_os_thread = false;
};

/// A mapping cut into stacks. For the pool, and for the debugger, which walks the list by the
/// numbers in it (tools/gdb): stack i, from 0, has its record at
///   (start + stride * (i + 1) - stagger * (i % stagger_colours) - sizeof(stack)) & ~63.
/// The stacks are cut one by one, from the last of the slab on; those cut so far are the last
/// `cut`.
struct slab {
  slab* next;
  std::byte* start;
  std::size_t stride;  // bytes from one stack to the next
  std::size_t stacks;  // that it has room for
  std::atomic<std::size_t> cut{0};
};

inline constexpr std::size_t most_stacks_per_slab = 64;
inline constexpr std::size_t stagger_colours = 16;
inline constexpr std::size_t stagger = 64;

/// All slabs, newest first. Only ever added to, at the front: readers need no lock.
extern constinit std::atomic<slab*> slab_list;

/// Sizes for all stacks of the process; before the first allocation. `bytes` is rounded up to
/// pages, the guard page comes on top.
void configure_stacks(std::size_t bytes, bool guard_pages) noexcept;

/// The usable bytes of each stack of the process; 0 while none has been made.
std::size_t stack_bytes() noexcept;

/// A stack from the global pool, or null when the system has no memory for one. Thread-safe.
stack* allocate_stack() noexcept;

/// Puts a chain of stacks back into the global pool. Thread-safe.
void release_stacks(stack* chain) noexcept;

/// Stacks handed out by the pool and not given back (those in caches count as handed out).
std::size_t stacks_in_use() noexcept;

/// The stack whose guard page holds `address`, or null. Async-signal-safe.
const stack* stack_overflowed_at(const void* address) noexcept;

/// Whether `address` lies in a slab, in a stack or a guard page. Async-signal-safe.
bool is_on_slab(const void* address) noexcept;

/// The stack that `address` lies in, or in the guard page of; null outside of slabs. Looks at one
/// slab after the other.
const stack* stack_around(const void* address) noexcept;

/// Calls visit(stack*, arg) for every stack cut so far, used or free. Thread-safe.
void for_each_stack(void (*visit)(stack*, void*), void* arg);

/// Around fork().
void lock_stacks() noexcept;
void unlock_stacks() noexcept;

/// A worker's own free stacks. The owner alone calls it.
class stack_cache {
 public:
  /// A free stack, or null when there is no memory.
  stack* take() noexcept {
    stack* s = head_;
    if (s == nullptr) return allocate_stack();
    head_ = s->next;
    --count_;
    return s;
  }

  /// Makes sure that the next take gives one; false when there is no memory.
  [[nodiscard]] bool has_next() noexcept {
    if (head_ != nullptr) return true;
    stack* const s = allocate_stack();
    if (s != nullptr) put(s);
    return s != nullptr;
  }

  /// Gives back a stack that nobody stands on, or on which the caller stands for its last moments:
  /// nobody but the caller takes from this cache.
  void put(stack* s) noexcept {
    s->next = head_;
    head_ = s;
    if (++count_ > most) spill();
  }

  /// Empties the cache into the global pool.
  void clear() noexcept;

 private:
  static constexpr std::size_t most = 64;

  void spill() noexcept;

  stack* head_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace kasuri::context
