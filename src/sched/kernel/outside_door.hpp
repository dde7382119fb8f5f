// SPDX-License-Identifier: Apache-2.0
#pragma once

// The way to the object that stands for work from outside the process (outside.hpp), which may be
// taken away while workers go on. Three kinds of threads:
//
//   the looker   one worker at a time: enter() makes it the looker, and gives it the object
//   a caller     any thread, for a moment: with()
//   the ender    end(): takes the object away, then waits until nobody looks and nobody calls
//
// The looker and the callers first say that they are there and then load the pointer; the ender
// first takes the pointer away and then looks for them. All four operations are sequentially
// consistent, so that one of the two sees the other. The pointer from before is never used: the
// object may have been replaced. A is the atomics.

#include <atomic>
#include <cstdint>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

template <class A, class Object, class Who>
class outside_door {
 public:
  void open(Object& o) noexcept {
    KASURI_EXPECT(cheap, !is_open(), "object %p comes before another has been taken away",
                  static_cast<void*>(&o));
    // release: pairs with the loads in enter and with
    object_.store(&o, std::memory_order_release);
  }

  /// Whether there is, or was a moment ago, an object.
  bool is_open() const noexcept { return object_.load(std::memory_order_relaxed) != nullptr; }

  bool somebody_looks() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp
    return looker_.load(std::memory_order_relaxed) != nullptr;
  }
  bool looks(const Who& w) const noexcept { return looker_.load(std::memory_order_relaxed) == &w; }

  /// `w` looks, unless another does. The object, until `w` leaves; or null, and `w` does not look.
  Object* enter(Who& w) noexcept {
    Who* nobody = nullptr;
    // seq_cst: pairs with the loads in end, and with the release in leave: what a look keeps in
    // mind passes on
    if (!looks(w) && !looker_.compare_exchange_strong(nobody, &w, std::memory_order_seq_cst,
                                                      std::memory_order_relaxed))
      return nullptr;
    Object* const o = object();
    if (o == nullptr) leave(w);
    return o;
  }

  /// For the looker: the object, or null when it has been taken away since.
  Object* object() const noexcept {
    // seq_cst: pairs with the exchange in end
    return object_.load(std::memory_order_seq_cst);
  }

  /// `w`, which looks, does so no more.
  void leave(Who& w) noexcept {
    if (!looks(w)) return;
    // release: pairs with enter and with the load in end
    looker_.store(nullptr, std::memory_order_release);
  }

  /// use(object), if there is one; it stays until that returns.
  template <class Use>
  void with(Use use) noexcept {
    if (!is_open()) [[likely]]
      return;
    callers_.fetch_add(1, std::memory_order_seq_cst);  // pairs with the load in end
    if (Object* const o = object()) use(*o);
    // release: pairs with the load in end
    const std::uint32_t before = callers_.fetch_sub(1, std::memory_order_release);
    KASURI_EXPECT(cheap, before != 0, "%u callers at the end of a call", before);
  }

  /// Takes the object away; returns when nobody uses it. interrupt(object) has the looker come back
  /// soon.
  template <class Interrupt>
  void end(Interrupt interrupt) noexcept {
    // seq_cst: pairs with the load in object
    Object* const o = object_.exchange(nullptr, std::memory_order_seq_cst);
    if (o == nullptr) return;
    // seq_cst: pairs with the exchange in enter, and the increment in with
    for (unsigned n = 0; looker_.load(std::memory_order_seq_cst) != nullptr ||
                         callers_.load(std::memory_order_seq_cst) != 0;  // pairs with `with`
         ++n) {
      interrupt(*o);
      A::backoff(n);
    }
  }

 private:
  typename A::template atomic<Object*> object_{nullptr};
  typename A::template atomic<Who*> looker_{nullptr};
  typename A::template atomic<std::uint32_t> callers_{0};
};

}  // namespace kasuri::sched
