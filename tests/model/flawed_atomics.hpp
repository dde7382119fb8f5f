// SPDX-License-Identifier: Apache-2.0
// The atomics of the model with one thing taken away. A protocol that still holds with them has
// something it does not need, or is not explored far enough.
#pragma once

#include <cstdint>

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

/// Every operation has the order that `changed` makes of its own.
template <std::memory_order (*changed)(std::memory_order)>
struct reordered : atomics {
  template <class T>
  class atomic : public model::atomic<T> {
   public:
    using base = model::atomic<T>;
    using base::base;

    T load(std::memory_order o) const { return base::load(changed(o)); }
    void store(T value, std::memory_order o) { base::store(value, changed(o)); }
    T exchange(T value, std::memory_order o) { return base::exchange(value, changed(o)); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order o,
                                 std::memory_order no) {
      return base::compare_exchange_strong(expected, desired, changed(o), changed(no));
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order o, std::memory_order no) {
      return base::compare_exchange_weak(expected, desired, changed(o), changed(no));
    }
    T fetch_add(T value, std::memory_order o) { return base::fetch_add(value, changed(o)); }
    T fetch_sub(T value, std::memory_order o) { return base::fetch_sub(value, changed(o)); }
    T fetch_or(T value, std::memory_order o) { return base::fetch_or(value, changed(o)); }
    T fetch_and(T value, std::memory_order o) { return base::fetch_and(value, changed(o)); }
  };
};

constexpr std::memory_order make_relaxed(std::memory_order) { return std::memory_order_relaxed; }
constexpr std::memory_order drop_acquire(std::memory_order o) {
  if (o == std::memory_order_acq_rel) return std::memory_order_release;
  return o == std::memory_order_acquire ? std::memory_order_relaxed : o;
}
constexpr std::memory_order drop_release(std::memory_order o) {
  if (o == std::memory_order_acq_rel) return std::memory_order_acquire;
  return o == std::memory_order_release ? std::memory_order_relaxed : o;
}

/// Every operation is relaxed.
using without_orders = reordered<make_relaxed>;
/// Acquire becomes relaxed, and acq_rel release. Sequentially consistent operations stay.
using without_acquire = reordered<drop_acquire>;
/// Release becomes relaxed, and acq_rel acquire. Sequentially consistent operations stay.
using without_release = reordered<drop_release>;

/// An exchange and a compare-exchange are a load and a store: a change between the two is
/// overwritten.
struct torn : atomics {
  template <class T>
  class atomic : public model::atomic<T> {
   public:
    using base = model::atomic<T>;
    using base::base;

    T exchange(T value, std::memory_order o) {
      const T old = base::load(drop_release(o));
      base::store(value, drop_acquire(o));
      return old;
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order o, std::memory_order) {
      const T seen = base::load(drop_release(o));
      if (seen != expected) {
        expected = seen;
        return false;
      }
      base::store(desired, drop_acquire(o));
      return true;
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order o, std::memory_order no) {
      return compare_exchange_strong(expected, desired, o, no);
    }
  };
};

/// No store and no compare-exchange sets any of these bits.
template <std::uint32_t bits>
struct without_bits : atomics {
  template <class T>
  class atomic : public model::atomic<T> {
   public:
    using base = model::atomic<T>;
    using base::base;

    void store(T value, std::memory_order o) { base::store(value & ~bits, o); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order o,
                                 std::memory_order no) {
      return base::compare_exchange_strong(expected, desired & ~bits, o, no);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order o, std::memory_order no) {
      return base::compare_exchange_weak(expected, desired & ~bits, o, no);
    }
  };
};

}  // namespace kasuri::model
