// SPDX-License-Identifier: Apache-2.0
#pragma once

// A frame: the record of a task that has not run yet.
//
// The threads that touch each field, and when:
//   type   written by the owner before the push; read by the thread that runs the frame.
//   in     the scope (group, cancellation) the task belongs to; as type.
//   join   not written on the fast path. The thread that publishes the frame, that is makes it
//          visible to thieves, sets it to `join_empty` first, if the type asks for that
//          (lazy_join). Then:
//              join_empty -> join_done | join_threw      the child was first: the parent goes on
//              join_empty -> a suspended parent          the parent was first: the child resumes it
//              join_empty stays join_held                the frame never entered the deque (full)
//          After the exchange to done the child may not touch the frame: it may be gone.
//          A future's may hold several that wait: src/sched/kernel/result_word.hpp.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kasuri::context {
struct stack;
}

namespace kasuri::detail {

struct frame;
struct [[gnu::visibility("default")]] group;
struct scope;
struct suspended;

/// The hint in a frame for the program's steal function: bytes to copy.
struct hint_view {
  const void* at;
  std::size_t bytes;
};

/// The type of a frame: one constant object per kind of closure.
struct frame_type {
  /// Runs the task and finishes it. Returns the thread to resume at once (greedy join), or null.
  suspended* (*run)(frame*);
  /// The publisher initialises the join word.
  bool lazy_join;
  /// For the debugger and the trace.
  const char* name;
  /// run() in two parts, or null: the task's code, and its end. Between the two the parent that
  /// created the task child first takes its continuation back. `alone`: it did, and nobody else
  /// can know of the frame, so that no locked instruction is needed.
  void (*body)(frame*) = nullptr;
  suspended* (*end)(frame*, bool alone) = nullptr;
  /// The hint that lies in the frame; null: none.
  hint_view (*hint)(const frame*) = nullptr;
};

inline constexpr std::uintptr_t join_empty = 0;
inline constexpr std::uintptr_t join_done = 1;
inline constexpr std::uintptr_t join_threw = 2;
inline constexpr std::uintptr_t join_held = 3;
inline constexpr std::uintptr_t join_last_code = 3;  // larger values are suspended parents

struct frame {
  const frame_type* type;
  scope* in;
  // Not a std::atomic, whose constructor would write it: a store on the fast path.
  alignas(std::atomic_ref<std::uintptr_t>::required_alignment) mutable std::uintptr_t join;

  /// The join word, as everybody accesses it once the frame is published.
  std::atomic_ref<std::uintptr_t> join_word() const noexcept {
    return std::atomic_ref<std::uintptr_t>(join);
  }

  // The members stay uninitialised on purpose: see the protocol above.
  frame() noexcept {}  // NOLINT(modernize-use-equals-default)
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;
};

/// One entry of a deque: a frame's address and three flags.
/// The frame has been published, or is being taken by a rescuing thief: the owner's pop notices.
inline constexpr std::uintptr_t slot_published = 1;
/// The frame is detached: the code that pushed it will not pop it by name.
inline constexpr std::uintptr_t slot_detached = 2;
/// The owner has found that this frame, and so all below it, is public. Only the owner sets it.
inline constexpr std::uintptr_t slot_found_public = 4;
inline constexpr std::uintptr_t slot_flags = slot_published | slot_detached | slot_found_public;

}  // namespace kasuri::detail
