// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// What a task is told about its next fork: fork_point, for closures of parallel_invoke.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <type_traits>

#include "kasuri/detail/self.hpp"

namespace [[gnu::visibility("default")]] kasuri {

namespace detail {

struct fork_points;

/// The face of nobody: no thread calls itself this.
inline constinit worker_face no_worker;

}  // namespace detail

/// Where the next fork of a task goes, as far as the task was told: parallel_invoke hands one to
/// each closure that takes one, and takes one as its first argument. It saves the fork a load that
/// depends on the fork before; a program of very small tasks is faster with it, others are not.
///
/// It is advice and never wrong: the fork compares it with what holds, and looks itself where they
/// differ. So it may be kept across calls that suspend, copied, and given to other tasks and
/// threads; it only saves nothing there.
///
/// @par Thread-safety: a value; each thread may use copies of its own.
/// @par Cost: two words, in registers where the compiler inlines the closures.
class fork_point {
 public:
  /// The caller's. One that is made outside of workers fits no fork. Costs some loads.
  fork_point() noexcept : face_(detail::self()) {
    if (face_ == nullptr) face_ = &detail::no_worker;
    slot_ = face_->top.load(std::memory_order_relaxed);  // relaxed: only the owner writes it
  }

 private:
  friend detail::fork_points;
  fork_point(detail::worker_face* face, detail::worker_slot* slot) noexcept
      : face_(face), slot_(slot) {}

  detail::worker_face* face_;  // not to be followed before it was found to be the caller's
  detail::worker_slot* slot_;
};

namespace detail {

/// The library's access to them.
struct fork_points {
  [[gnu::always_inline]] static fork_point make(worker_face* face, worker_slot* slot) noexcept {
    return {face, slot};
  }
  /// Whether the caller is that worker and pushes into that slot.
  [[gnu::always_inline]] static bool fits(fork_point point) noexcept {
    return point.face_ == self() &&
           // relaxed: only the owner writes it
           point.face_->top.load(std::memory_order_relaxed) == point.slot_;
  }
  /// Of a point that fits. As told, not as found: what comes after waits for no load.
  [[gnu::always_inline]] static worker_face* face(fork_point point) noexcept { return point.face_; }
  [[gnu::always_inline]] static worker_slot* slot(fork_point point) noexcept { return point.slot_; }
};

/// Whether a closure is to be told: it cannot be called without a point.
template <class F>
inline constexpr bool takes_fork_point =
    !std::is_invocable_v<F&> && std::is_invocable_v<F&, fork_point>;

}  // namespace detail
}  // namespace kasuri
