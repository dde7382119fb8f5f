// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <kasuri/parallel_sort.hpp>

/// What both programs, over global memory and over oneTBB, do serially: the leaves of the sort.
namespace cilksort {

using key = std::uint32_t;

/// How a leaf is sorted.
enum class leaf_sort {
  standard,  ///< std::sort
  digits,    ///< by the digits of the keys: kasuri::parallel_sort, serial at these sizes
};

/// Longer leaves would be sorted by tasks.
inline constexpr std::size_t longest_leaf = 65536;

inline void sort_keys(key* v, std::size_t n, leaf_sort how) {
  if (how == leaf_sort::digits)
    kasuri::parallel_sort(v, v + n);
  else
    std::sort(v, v + n);
}

/// Merges [a, a_end) and [b, b_end) to `out`, from both ends at once and without a branch on the
/// comparisons: while both runs have 2m keys left, m steps need no test for an end.
inline void merge_keys(const key* a, const key* a_end, const key* b, const key* b_end, key* out) {
  key* out_end = out + (a_end - a) + (b_end - b);
  while (std::ptrdiff_t steps = std::min(a_end - a, b_end - b) / 2) {
    for (; steps != 0; --steps) {
      const key x = *a;
      const key y = *b;
      const bool from_b = y < x;
      *out++ = from_b ? y : x;
      b += from_b;
      a += !from_b;
      const key last_x = a_end[-1];
      const key last_y = b_end[-1];
      const bool from_a = last_y < last_x;
      *--out_end = from_a ? last_x : last_y;
      a_end -= from_a;
      b_end -= !from_a;
    }
  }
  std::merge(a, a_end, b, b_end, out);
}

/// Key i of the input: the mixing function of Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014.
inline key input_key(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = (seed << 32) + (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<key>((z ^ (z >> 31)) >> 32);
}

/// Of a set of keys, in whatever order: of sorted keys it shows that none was lost or changed.
struct fingerprint {
  std::uint64_t sum = 0;
  std::uint64_t mixed = 0;

  void add(key k) {
    sum += k;
    mixed += input_key(1, k) * std::uint64_t{0x9E3779B97F4A7C15u};
  }
  friend fingerprint operator+(fingerprint a, fingerprint b) {
    return {a.sum + b.sum, a.mixed + b.mixed};
  }
  friend bool operator==(fingerprint, fingerprint) = default;
};

}  // namespace cilksort
