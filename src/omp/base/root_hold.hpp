// SPDX-License-Identifier: Apache-2.0
#pragma once

// A root is used by its OS thread, or by the region of a task that has left that thread meanwhile.
// The parameter A names the atomics; tests/model explores the states.
//
//   free    the OS thread gives the root to the task that it runs next
//   held    from the beginning of a region to its end. The task may be suspended, and go on and end
//           the region on another OS thread
//   left    the OS thread has ended, and the region has not
//
//            take             give
//     free ---------> held ---------> free
//                      |  leave         give
//                      +----------> left ------> freed by the region's end
//
// Only the OS thread takes the root, and so it alone goes from free to held. The region's end and
// the thread's end both exchange the word: the second of them frees the root.

#include <atomic>
#include <cstdint>

namespace kasuri::omp {

template <class A>
class root_hold {
 public:
  /// OS thread: a region holds the root.
  bool held() const noexcept {
    // acquire: pairs with the exchange in give: what the region has left there is to be seen
    return word_.load(std::memory_order_acquire) != free;
  }

  /// OS thread: a region that begins on it takes the root, which is free.
  void take() noexcept { word_.store(is_held, std::memory_order_relaxed); }

  /// OS thread: the region ends there, where the root itself is in the region.
  void give_here() noexcept { word_.store(free, std::memory_order_relaxed); }

  /// Any thread: the region ends. True: the caller frees the root. False: it does not look at the
  /// root any more.
  [[nodiscard]] bool give() noexcept {
    // acq_rel: pairs with the load in held and with the exchange in leave
    return word_.exchange(free, std::memory_order_acq_rel) == is_left;
  }

  /// OS thread: it ends. True: it frees the root. False: it does not look at it any more.
  [[nodiscard]] bool leave() noexcept {
    // acq_rel: pairs with the exchange in give
    return word_.exchange(is_left, std::memory_order_acq_rel) == free;
  }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t is_held = 1;
  static constexpr std::uint32_t is_left = 2;

  typename A::template atomic<std::uint32_t> word_{free};
};

}  // namespace kasuri::omp
