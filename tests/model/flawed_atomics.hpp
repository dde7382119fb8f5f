// SPDX-License-Identifier: Apache-2.0
// The atomics of the model with one thing taken away. A protocol that still holds with them has
// something it does not need, or is not explored far enough.
#pragma once

#include "explorer/atomic.hpp"

namespace kasuri::model {

struct without_light_fence : atomics {
  static void fence_light() {}
};

struct without_heavy_fence : atomics {
  static void fence_heavy() {}
};

struct without_full_fence : atomics {
  static void fence_full() {}
};

/// Every operation is relaxed.
struct without_orders : atomics {
  template <class T>
  class atomic : public model::atomic<T> {
   public:
    using base = model::atomic<T>;
    using base::base;

    T load(std::memory_order) const { return base::load(relaxed); }
    void store(T value, std::memory_order) { base::store(value, relaxed); }
    T exchange(T value, std::memory_order) { return base::exchange(value, relaxed); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order) {
      return base::compare_exchange_strong(expected, desired, relaxed, relaxed);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order) {
      return base::compare_exchange_weak(expected, desired, relaxed, relaxed);
    }

   private:
    static constexpr auto relaxed = std::memory_order_relaxed;
  };
};

}  // namespace kasuri::model
