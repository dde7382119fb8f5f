// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two ends of the deque that the inlined fast path touches; sched/kernel/deque.hpp has the
// protocol.

#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "kasuri/detail/group_count.hpp"

namespace kasuri::detail {

struct arena_state;

/// A free block of memory for a small record.
struct free_record {
  free_record* next;
};

/// The owner's end of a deque.
template <class A>
struct deque_face {
  using slot = typename A::template atomic<std::uintptr_t>;

  /// One past the newest frame. Written by the owner alone; thieves look.
  alignas(64) typename A::template atomic<slot*> top{nullptr};
  /// The scope of the task that the owner runs now; here because the push reads it beside top.
  scope* current = nullptr;
  /// The stack that the owner stands on: equal stacks never run at the same time.
  context::stack* stack = nullptr;
  /// Free records of 64 bytes, the owner's: see detail/records.hpp.
  free_record* records = nullptr;
  std::uint32_t record_count = 0;
  /// Tasks of one group that ended on this worker and are not reported to it yet: see
  /// detail::group.
  group_tally<group, std::uint32_t> tally;
  /// The arena of the task that the owner runs now; null: none.
  arena_state* arena = nullptr;
  /// Pushes at or beyond this slot take the slow path. The end of the array, or null when a thief
  /// asks for work: one compare serves both. On a line of its own: thieves write it.
  alignas(64) typename A::template atomic<slot*> limit{nullptr};
  /// The worker that asked and awaits an answer, or null. Beside limit, which the owner reads
  /// first.
  typename A::template atomic<void*> asker{nullptr};

  /// Pushes, with slot flags if need be, and says whether the slow path must be called with the
  /// slot.
  [[gnu::always_inline]] bool push(frame* f, slot*& at, std::uintptr_t flags = 0) noexcept {
    at = top.load(std::memory_order_relaxed);  // relaxed: only the owner writes it
    return push_into(f, at, flags);
  }

  /// The same, for who knows that `t` is the slot at top.
  [[gnu::always_inline]] bool push_into(frame* f, slot* t, std::uintptr_t flags = 0) noexcept {
    // relaxed: the store of top publishes it
    t->store(reinterpret_cast<std::uintptr_t>(f) | flags, std::memory_order_relaxed);
    // release: pairs with the acquire of top in deque::rescue, which then reads slot and frame
    top.store(t + 1, std::memory_order_release);
    // The sleeper stores limit and then looks at top with a heavy fence between: pairs with the
    // fence_heavy in idle::prepare_sleep. One of the two sees the other's store.
    A::fence_light();
    return t >= limit.load(std::memory_order_relaxed);  // relaxed: after the fence above
  }

  /// Whether the private part may hold structured frames, as far as the owner knows. It is always
  /// detached frames, then structured ones: when the newest is none, there is none.
  [[gnu::always_inline]] bool has_private_structured() const noexcept {
    const std::uintptr_t newest =
        (top.load(std::memory_order_relaxed) - 1)->load(std::memory_order_relaxed);
    // Not by the published flag: a rescuing thief sets it for a moment and may give up. Taking a
    // public frame for a private one here does no harm: the owner then finds out.
    return newest != 0 && (newest & (slot_detached | slot_found_public)) == 0;
  }

  /// The outcome of a pop on the fast path.
  enum class popped { mine, not_lowered, lowered };

  /// Takes `f` back from slot `t` if it is still private. The first look proves that the stack
  /// was not suspended since the push (a suspension publishes all its frames), hence that this
  /// face and t still belong together. The second, behind the store of top and the fence, proves
  /// that no rescuing thief tagged the slot.
  [[gnu::always_inline]] popped pop(frame* f, slot* t) noexcept {
    const auto word = reinterpret_cast<std::uintptr_t>(f);
    // relaxed: a tag that comes later is seen by the second look
    if (t->load(std::memory_order_relaxed) != word) [[unlikely]]
      return popped::not_lowered;
    // release: pairs with the acquire of top in deque::rescue, for the frames below
    top.store(t, std::memory_order_release);
    A::fence_light();  // pairs with the fence_heavy in deque::rescue
    // relaxed: after the fence above
    if (t->load(std::memory_order_relaxed) != word) [[unlikely]]
      return popped::lowered;
    return popped::mine;
  }
};

}  // namespace kasuri::detail
