// SPDX-License-Identifier: Apache-2.0
#pragma once

// One worker alone may run this frame: a thread whose home the worker is, or a frame that starts
// one.
//
//   anybody                  bring()
//   the worker, the monitor  take(): one of the two has the frame
//
// There is one such frame at a time, for there is one thread at home on a worker, and it is started
// when there is none. So bring() finds the word empty. It looks and writes in one step: of two that
// bring at once, the later one learns of the other, and no frame is overwritten unseen. A is the
// atomics.

#include <atomic>

#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::sched {

template <class A, class Frame = detail::frame>
class sole_frame {
 public:
  /// False: there is another one, which stays; `f` is not in here.
  [[nodiscard]] bool bring(Frame* f) noexcept {
    KASURI_EXPECT(cheap, f != nullptr, "nothing is brought, %p lies here",
                  static_cast<void*>(word_.load(std::memory_order_relaxed)));
    Frame* nothing = nullptr;
    // release: pairs with the acquire in take
    return word_.compare_exchange_strong(nothing, f, std::memory_order_release,
                                         std::memory_order_relaxed);
  }

  /// The frame, or null.
  Frame* take() noexcept {
    if (empty()) return nullptr;
    // acquire: pairs with the release in bring. By exchange: the monitor may take at the same time.
    return word_.exchange(nullptr, std::memory_order_acquire);
  }

  bool empty() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp, step_aside() of
    // sched/run/sleep.cpp and free_frame_of() of sched/pool/waker.cpp
    return word_.load(std::memory_order_relaxed) == nullptr;
  }

 private:
  typename A::template atomic<Frame*> word_{nullptr};
};

}  // namespace kasuri::sched
