// SPDX-License-Identifier: Apache-2.0
#pragma once

// The word of a dock: how a worker is told of a region. A is the atomics; tests/model explores it.
//
//   away           the worker is elsewhere in the pool. A poster delivers the dock's frame to it.
//   waiting        the worker stands at the dock, spinning: it sees what is posted.
//   anything else  posted, or being run
//
//             post            look             stand           post            leave
//     away ----------> posted ----> (it runs) ------> waiting ------> posted,  ------> away
//           and a frame                               the worker sees it
//
// One thread posts at a time, and only to a worker that is away or waiting. The worker writes
// `waiting` when it has finished, before it says so to anybody: so the next post comes after that,
// and is not overwritten. It goes from waiting to away by compare-and-swap: a post that comes first
// stays, and the worker sees it.
//
// The poster frees what it has posted when it finds the dock away, or something else posted and
// finished.

#include <atomic>
#include <cstdint>

namespace kasuri::omp {

template <class A>
class dock_word {
 public:
  static constexpr std::uintptr_t away = 0;
  static constexpr std::uintptr_t waiting = 1;

  /// Poster: true: the worker stands at the dock and sees it. False: the poster delivers the dock's
  /// frame.
  bool post(std::uintptr_t what) noexcept {
    // acq_rel: pairs with look, which then sees the region, and with the release in leave
    return word_.exchange(what, std::memory_order_acq_rel) == waiting;
  }

  /// Poster: the frame could not be delivered, so nobody has seen what was posted.
  void take_back() noexcept { word_.store(away, std::memory_order_relaxed); }

  /// Worker: what is posted, `waiting` or `away`. The poster, when nothing of its own runs: the
  /// same.
  std::uintptr_t look() const noexcept {
    // acquire: pairs with the exchange in post, and with the release in leave
    return word_.load(std::memory_order_acquire);
  }

  /// Worker: it has finished, and will say so by a release, behind which the next may be posted.
  void stand() noexcept { word_.store(waiting, std::memory_order_relaxed); }

  /// Worker: leaves the dock. False: something has been posted.
  bool leave() noexcept {
    std::uintptr_t nothing = waiting;
    // release: pairs with the acquire in look, and in post; the next poster delivers the frame
    return word_.compare_exchange_strong(nothing, away, std::memory_order_release,
                                         std::memory_order_relaxed);
  }

 private:
  typename A::template atomic<std::uintptr_t> word_{away};
};

}  // namespace kasuri::omp
