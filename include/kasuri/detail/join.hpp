// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions that the inlined fork-join code calls when a thief is about. None is on the fast
// path.

#include "kasuri/detail/self.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// A push of `f` into slot `at` met the limit: answers thieves, wakes, or, when the deque is full,
/// keeps the frame out of it (join_held).
[[gnu::cold, gnu::noinline]] void push_slow(worker_face* face, worker_slot* at, frame* f) noexcept;

/// Queues a detached frame where spawn_detached cannot: on a thread that is no worker, above
/// private structured frames, or for another arena than the caller's.
[[gnu::cold, gnu::noinline]] void spawn_slow(frame* f);

/// Queues a task that nobody pops by name (of a group, a thread): on the calling worker's deque, or
/// in the pool's inbox on other threads. When the worker's queue is as long as the settings allow
/// (KASURI_QUEUE_LIMIT), the caller steps back until some tasks have run, so that memory stays
/// bounded: the call may suspend. `face` is self().
[[gnu::always_inline]] inline void spawn_detached(worker_face* face, frame* f) {
  if (face == nullptr || face->has_private_structured()) [[unlikely]]
    return spawn_slow(f);
  worker_slot* at;
  if (face->push(f, at, slot_detached)) [[unlikely]]
    push_slow(face, at, f);
}

/// `f`, pushed into `at`, was not found there. True: it is the caller's again, to run or to drop.
/// False: somebody ran it; f->join is join_done or join_threw. `drop`: it is not to run any more.
[[gnu::cold, gnu::noinline]] bool take_back_or_wait(frame* f, worker_slot* at, bool lowered,
                                                    bool drop = false) noexcept;

/// Reports the worker's tally, of which there is one, to its group (task.hpp). Returns the group's
/// waiter if it may go on.
suspended* report_tally(worker_face* face) noexcept;

/// The thief's side of the join: ends the frame with `code`. Returns the parent if it waits.
suspended* finish(frame* f, std::uintptr_t code) noexcept;

}  // namespace detail
}  // namespace kasuri
