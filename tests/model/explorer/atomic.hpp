// SPDX-License-Identifier: Apache-2.0
// The atomics policy of the model: what lock-free code uses in place of platform::real_atomics.
#pragma once

#include <atomic>  // for memory_order
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>  // for memcpy
#include <type_traits>

#include "machine.hpp"

namespace kasuri::model {

template <class T>
concept modellable = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t);

/// std::atomic<T> of the modelled machine. Constructed with the program's shared state only.
template <modellable T>
class atomic {
 public:
  atomic() : atomic(T{}) {}
  atomic(T initial) : location_(machine::current().add_location(encode(initial))) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const {
    return decode(machine::current().load(location_, order));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    machine::current().store(location_, encode(value), order);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    return modify(order, [value](T) { return value; });
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) {
    std::uint64_t bits = encode(expected);
    const bool equal =
        machine::current().compare_exchange(location_, bits, encode(desired), success, failure);
    expected = decode(bits);
    return equal;
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired, order, on_failure(order));
  }
  /// Never fails spuriously here.
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired, order);
  }
  T fetch_add(T value, std::memory_order order = std::memory_order_seq_cst)
    requires std::integral<T>
  {
    return modify(order, [value](T old) { return static_cast<T>(old + value); });
  }
  T fetch_sub(T value, std::memory_order order = std::memory_order_seq_cst)
    requires std::integral<T>
  {
    return modify(order, [value](T old) { return static_cast<T>(old - value); });
  }
  T fetch_or(T value, std::memory_order order = std::memory_order_seq_cst)
    requires std::integral<T>
  {
    return modify(order, [value](T old) { return static_cast<T>(old | value); });
  }
  T fetch_and(T value, std::memory_order order = std::memory_order_seq_cst)
    requires std::integral<T>
  {
    return modify(order, [value](T old) { return static_cast<T>(old & value); });
  }
  T fetch_xor(T value, std::memory_order order = std::memory_order_seq_cst)
    requires std::integral<T>
  {
    return modify(order, [value](T old) { return static_cast<T>(old ^ value); });
  }

 private:
  friend struct atomics;

  static std::uint64_t encode(T value) {
    std::uint64_t bits = 0;
    if constexpr (std::is_integral_v<T>) {
      bits = static_cast<std::uint64_t>(value);
    } else {
      std::memcpy(&bits, &value, sizeof(T));
    }
    return bits;
  }
  static T decode(std::uint64_t bits) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(bits);
    } else {
      T value;
      std::memcpy(&value, &bits, sizeof(T));
      return value;
    }
  }
  static std::memory_order on_failure(std::memory_order order) {
    if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
    if (order == std::memory_order_release) return std::memory_order_relaxed;
    return order;
  }
  template <class F>
  T modify(std::memory_order order, F change) {
    return decode(machine::current().modify(
        location_, order, [change](std::uint64_t old) { return encode(change(decode(old))); }));
  }

  int location_;
};

/// Data that is not atomic: two threads may use it only if one use happens before the other, which
/// is checked at each.
template <class T>
class plain {
 public:
  plain() : plain(T{}) {}
  plain(T initial) : value_(initial), id_(machine::current().add_plain()) {}
  plain(const plain&) = delete;

  plain& operator=(const plain& other) { return *this = static_cast<T>(other); }
  plain& operator=(T value) {
    machine::current().access_plain(id_, true);
    value_ = value;
    return *this;
  }
  operator T() const {
    machine::current().access_plain(id_, false);
    return value_;
  }

 private:
  T value_;
  int id_;
};

struct atomics {
  template <class T>
  using atomic = model::atomic<T>;
  template <class T>
  using plain = model::plain<T>;

  static void fence(std::memory_order order) { machine::current().fence(order); }
  static void fence_full() { fence(std::memory_order_seq_cst); }
  static void fence_light() { machine::current().light_fence(); }
  static void fence_heavy() { machine::current().heavy_fence(); }

  /// A step of a spinning loop: comes back when something the thread has looked at since its last
  /// pause has changed.
  static void pause() { machine::current().pause(); }
  static void backoff(unsigned) { pause(); }

  /// Sleeps if the word holds `expected`; true when woken, false when the word held something else.
  /// Never returns without cause.
  template <class T>
  static bool futex_wait(const model::atomic<T>& word, T expected) {
    return machine::current().futex_wait(word.location_, model::atomic<T>::encode(expected));
  }
  /// Wakes up to `count` sleepers, any of them; the number woken.
  template <class T>
  static int futex_wake(const model::atomic<T>& word, int count) {
    return machine::current().futex_wake(word.location_, count);
  }
};

}  // namespace kasuri::model
