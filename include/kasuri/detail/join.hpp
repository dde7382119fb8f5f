// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the inlined fork-join code calls when a thief is about. None of it is on the fast path.

#include "kasuri/detail/self.hpp"

namespace kasuri [[gnu::visibility("default")]] {
namespace detail {

/// A push of `f` into slot `at` met the limit: answers thieves, wakes, or, when the deque is full,
/// keeps the frame out of it (join_held).
[[gnu::cold, gnu::noinline]] void push_slow(worker_face* face, worker_slot* at, frame* f) noexcept;

/// `f`, pushed into `at`, was not found there. True: it is the caller's again, to run or to drop.
/// False: somebody ran it; f->join is join_done or join_threw.
[[gnu::cold, gnu::noinline]] bool take_back_or_wait(frame* f, worker_slot* at,
                                                    bool lowered) noexcept;

/// The thief's side of the join: ends the frame with `code`. Returns the parent if it waits.
suspended* finish(frame* f, std::uintptr_t code) noexcept;

}  // namespace detail
}  // namespace kasuri
