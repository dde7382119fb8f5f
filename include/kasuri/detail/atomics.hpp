// SPDX-License-Identifier: Apache-2.0
#pragma once

// The atomics of the lock-free parts, as one type that a model checker can replace.
//
// The deque and the sleep protocol are templates over such a type, so that the very source that
// runs here is also what the explorer in tests/model runs.

#include <atomic>
#include <cstdint>

#include "kasuri/detail/cxx_library.hpp"

namespace kasuri::detail {

/// Makes every other running thread of the process pass a full barrier (membarrier, or a slower way
/// where that is refused). Costs the caller a system call and the others nothing while nobody calls
/// it: the heavy half of an asymmetric fence.
void fence_heavy() noexcept;

/// Chooses the way that fence_heavy goes, which does so itself if need be; ends the process with a
/// message where the kernel offers none.
void prepare_fence_heavy() noexcept;

/// Gives the rest of the time slice to another thread of the machine.
void yield_processor() noexcept;

/// The atomics of real machines.
struct real_atomics {
  template <class T>
  using atomic = std::atomic<T>;

  /// The light half of an asymmetric fence: keeps the compiler from reordering, costs nothing;
  /// pairs with fence_heavy.
  static void fence_light() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// The heavy half: every other thread passes a full barrier during this call.
  static void fence_heavy() noexcept { detail::fence_heavy(); }

  /// A full fence. On x86-64 a locked instruction on the stack, because the mfence that Clang
  /// emits for a sequentially consistent fence costs eight times as much.
  static void fence_full() noexcept {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    asm volatile("lock orq $0, -8(%%rsp)" ::: "memory", "cc");
#else
    // pairs with the other full fences, as their sites say
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }

  /// Tells the core that this is a spin loop.
  static void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
  }

  /// The n-th turn of a wait for another thread that is about to finish a short section.
  static void backoff(unsigned n) noexcept {
    if (n < 64)
      pause();
    else
      yield_processor();  // it may have been preempted
  }
};

}  // namespace kasuri::detail
