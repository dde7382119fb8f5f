// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of sums by a key. The table only grows: a row stays where it is, and any thread may read it.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace kasuri::profile {

/// Row: `key`, which it is made from, and `next`, a Row*.
template <class Row, std::size_t Lists>
class row_table {
 public:
  constexpr row_table() noexcept = default;
  row_table(const row_table&) = delete;
  row_table& operator=(const row_table&) = delete;

  /// Any thread. Null: there is no memory, or there are `most` others and it would be a new one.
  Row* find_or_make(std::uint64_t key, std::size_t most = SIZE_MAX) noexcept {
    std::atomic<Row*>& list = lists_[index(key)];
    // acquire: pairs with the release below
    Row* first = list.load(std::memory_order_acquire);
    if (Row* const r = find(first, nullptr, key)) return r;
    if (rows_.load(std::memory_order_relaxed) >= most) return nullptr;
    Row* const made = new (std::nothrow) Row(key);
    if (made == nullptr) return nullptr;
    for (Row* looked_at = nullptr;;) {
      if (Row* const r = find(first, looked_at, key)) {
        delete made;
        return r;
      }
      looked_at = made->next = first;
      // release: pairs with the acquire above and in each()
      if (list.compare_exchange_weak(first, made, std::memory_order_release,
                                     std::memory_order_acquire))
        break;
    }
    rows_.fetch_add(1, std::memory_order_relaxed);
    return made;
  }

  /// Any thread: calls f(row) for all.
  template <class F>
  void each(F f) const {
    for (const std::atomic<Row*>& list : lists_)
      // acquire: pairs with the release in find_or_make()
      for (Row* r = list.load(std::memory_order_acquire); r != nullptr; r = r->next) f(*r);
  }

  /// By the one thread of a process. The rows stay in memory: somebody may still name them.
  void forget() noexcept {
    for (std::atomic<Row*>& list : lists_) list.store(nullptr, std::memory_order_relaxed);
    rows_.store(0, std::memory_order_relaxed);
  }

 private:
  static std::size_t index(std::uint64_t key) noexcept {
    constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(key * golden_ratio >> 32) % Lists;
  }
  static Row* find(Row* from, const Row* to, std::uint64_t key) noexcept {
    for (; from != to; from = from->next)
      if (from->key == key) return from;
    return nullptr;
  }

  std::array<std::atomic<Row*>, Lists> lists_{};
  std::atomic<std::size_t> rows_{0};
};

}  // namespace kasuri::profile
