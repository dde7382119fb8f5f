// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sort/keys.hpp"

/// What is sorted, besides 32-bit keys, and in which order it lies before.
namespace bench::sort {

/// 64 bytes, compared by their key. Many keys are equal: a stable sort keeps the places of such
/// records in order.
struct record {
  std::uint32_t key = 0;
  std::uint32_t place = 0;  ///< before the sort
  std::array<std::uint64_t, 7> load = {};

  friend bool operator<(const record& a, const record& b) { return a.key < b.key; }
};

inline std::uint64_t fingerprint_of(const std::string& text) {
  std::uint64_t mixed = 0;
  for (const char c : text) mixed = mixed * 31 + static_cast<unsigned char>(c);
  return mixed;
}

inline std::uint64_t fingerprint_of(const record& r) {
  std::uint64_t mixed = fingerprint_of(r.key) * 31 + r.place;
  for (const std::uint64_t word : r.load) mixed = mixed * 31 + word;
  return mixed;
}

inline void draw(draws& random, std::uint32_t& key) { key = random.next(); }

/// 8 to 40 letters.
inline void draw(draws& random, std::string& text) {
  text.resize(8 + random.next() % 33);
  for (char& c : text) c = static_cast<char>('a' + random.next() % 26);
}

inline void draw(draws& random, record& r) {
  r.key = random.next() >> 12;
  r.load.fill(r.key);
}

enum class arrangement {
  random,
  sorted,
  almost,  ///< sorted; then so many times as a hundredth of the elements two of them change places
  few,     ///< random ones of 16 elements
};

/// Numbers the records of a piece.
template <class T>
void set_places(T*, std::size_t) {}
inline void set_places(record* first, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) first[i].place = static_cast<std::uint32_t>(i);
}

/// Sets n elements from `first` on.
template <class T>
void arrange(arrangement how, draws& random, T* first, std::size_t n) {
  if (how == arrangement::few) {
    std::array<T, 16> all;
    for (T& element : all) draw(random, element);
    for (std::size_t i = 0; i < n; ++i) first[i] = all[random.next() % all.size()];
  } else {
    for (std::size_t i = 0; i < n; ++i) draw(random, first[i]);
  }
  if (how == arrangement::sorted || how == arrangement::almost) std::sort(first, first + n);
  if (how == arrangement::almost) {
    for (std::size_t i = 0; i < n / 100; ++i) {
      const std::size_t one = random.next() % n;
      const std::size_t other = random.next() % n;
      std::swap(first[one], first[other]);
    }
  }
  set_places(first, n);
}

/// Pieces of n elements each, sorted one after the other: a single short one would end before the
/// clock has moved. No two are alike, so that no branch predictor learns one by heart.
template <class T>
class batch {
 public:
  batch(arrangement how, std::size_t n, std::size_t pieces) : n_(n), input_(n * pieces) {
    draws random;
    for (std::size_t at = 0; at < input_.size(); at += n) arrange(how, random, &input_[at], n);
  }

  void prepare() { data_ = input_; }

  template <class Sort>
  void sort_with(const Sort& sort) {
    for (auto at = data_.begin(); at != data_.end(); at += step()) sort(at, at + step());
  }

  /// Empty when all is right.
  std::string wrong(bool stable) const {
    for (std::size_t at = 0; at < data_.size(); at += n_) {
      for (std::size_t i = at + 1; i < at + n_; ++i) {
        if (data_[i] < data_[i - 1]) return "the keys are not in order";
        if (stable && is_behind(data_[i - 1], data_[i])) return "equal keys changed places";
      }
      if (sum(input_, at) != sum(data_, at)) return "keys were lost or changed";
    }
    return "";
  }

 private:
  std::ptrdiff_t step() const { return static_cast<std::ptrdiff_t>(n_); }

  std::uint64_t sum(const std::vector<T>& all, std::size_t at) const {
    std::uint64_t total = 0;
    for (std::size_t i = at; i < at + n_; ++i) total += fingerprint_of(all[i]);
    return total;
  }

  /// Whether `a` lay behind its equal `b`, as far as one can tell.
  template <class Element>
  static bool is_behind(const Element&, const Element&) {
    return false;
  }
  static bool is_behind(const record& a, const record& b) {
    return a.key == b.key && a.place > b.place;
  }

  std::size_t n_;
  std::vector<T> input_;
  std::vector<T> data_;
};

}  // namespace bench::sort
