// SPDX-License-Identifier: Apache-2.0
#pragma once

// Workers that have nothing to do, by their place on the line: found in a range without a walk over
// all of it.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kasuri::simulate {

class idle_set {
 public:
  explicit idle_set(int workers) : words_((static_cast<std::size_t>(workers) + 63) / 64) {}

  int size() const noexcept { return size_; }
  void insert(int i) noexcept {
    words_[word(i)] |= bit(i);
    ++size_;
  }
  void erase(int i) noexcept {
    words_[word(i)] &= ~bit(i);
    --size_;
  }

  /// The first at `from` or after it, before `to`; -1: none.
  int first(int from, int to) const noexcept {
    for (int i = from; i < to; i = static_cast<int>((word(i) + 1) * 64)) {
      const std::uint64_t left = words_[word(i)] >> (static_cast<unsigned>(i) % 64);
      if (left == 0) continue;
      const int found = i + std::countr_zero(left);
      return found < to ? found : -1;
    }
    return -1;
  }

  /// The first in [low, high) that `accepts`, from `start` on and round; -1: none.
  template <class Accepts>
  int find(int low, int high, int start, Accepts accepts) const {
    for (int i = first(start, high); i >= 0; i = first(i + 1, high))
      if (accepts(i)) return i;
    for (int i = first(low, start); i >= 0; i = first(i + 1, start))
      if (accepts(i)) return i;
    return -1;
  }

 private:
  static std::size_t word(int i) noexcept { return static_cast<std::size_t>(i) / 64; }
  static std::uint64_t bit(int i) noexcept {
    return std::uint64_t{1} << (static_cast<unsigned>(i) % 64);
  }

  std::vector<std::uint64_t> words_;
  int size_ = 0;
};

}  // namespace kasuri::simulate
