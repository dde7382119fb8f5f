// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/range.hpp"

// Parallel radix sort of numbers, stable.
//
// A long array is distributed in parallel into 256 buckets by the highest eight bits in which its
// keys differ: every block counts its digits, prefix sums give each block its own place in each
// bucket, and the blocks move their elements there. A bucket that is still long is treated the same
// way; the others, which now fit into a core's cache, are sorted by one worker each, from the
// lowest digit up. Digits in which all keys of a bucket agree cost nothing but their count.

namespace kasuri::detail {

template <class T>
concept radix_key =
    (std::integral<T> || std::same_as<T, float> || std::same_as<T, double>) && sizeof(T) <= 8;

template <std::size_t Size>
using unsigned_of_size = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

template <class T, class Compare>
constexpr bool compares_less =
    std::same_as<Compare, std::less<T>> || std::same_as<Compare, std::less<>> ||
    std::same_as<Compare, std::ranges::less>;

template <class T, class Compare>
constexpr bool compares_greater =
    std::same_as<Compare, std::greater<T>> || std::same_as<Compare, std::greater<>> ||
    std::same_as<Compare, std::ranges::greater>;

// An unsigned number in the order of the values: two's complement gets its sign bit flipped; IEEE
// 754 numbers are sign and magnitude, so negative ones are complemented as a whole. Adding zero
// makes -0 and +0, which compare equal, the same key.
template <bool Descending, radix_key T>
constexpr auto radix_of(T value) noexcept {
  using key = unsigned_of_size<sizeof(T)>;
  constexpr key sign = key{1} << (8 * sizeof(T) - 1);
  key k;
  if constexpr (std::floating_point<T>) {
    k = std::bit_cast<key>(value + T{0});
    k = static_cast<key>(k ^ ((k & sign) != 0 ? std::numeric_limits<key>::max() : sign));
  } else {
    k = static_cast<key>(value);
    if constexpr (std::signed_integral<T>) k = static_cast<key>(k ^ sign);
  }
  return Descending ? static_cast<key>(~k) : k;
}

template <bool Descending, radix_key T>
class radix_sort {
  using key = unsigned_of_size<sizeof(T)>;
  using counts = std::array<std::size_t, 256>;

  static constexpr std::size_t least_block = std::size_t{1} << 14;
  static constexpr std::size_t most_blocks = 64;

 public:
  // Up to this length one worker sorts: two such arrays stay in a core's second-level cache.
  static constexpr std::size_t serial_size = (std::size_t{1} << 19) / sizeof(T);

  // Sorts v[0, n); spare has room for as many.
  static void sort(T* v, T* spare, std::size_t n) {
    if (n <= serial_size)
      lowest_digit_first(v, spare, n, 8 * sizeof(T), false);
    else
      highest_digit_first(v, spare, n, false);
  }

 private:
  static std::size_t digit(T value, unsigned shift) noexcept {
    return static_cast<std::size_t>(radix_of<Descending>(value) >> shift) & 255;
  }

  static std::size_t block_count(std::size_t n) noexcept {
    return std::clamp<std::size_t>(n / least_block, 1, most_blocks);
  }

  // The number of low bits beyond which all keys agree.
  static unsigned differing_bits(const T* v, std::size_t n) {
    const key first = radix_of<Descending>(v[0]);
    std::array<key, most_blocks> differ{};
    const std::size_t blocks = block_count(n);
    loop_each<cancellation::ignored>(blocks, 0, [&](std::size_t k) {
      key bits = 0;
      const T* end = v + block_begin(k + 1, blocks, n);
      for (const T* p = v + block_begin(k, blocks, n); p != end; ++p)
        bits = static_cast<key>(bits | (radix_of<Descending>(*p) ^ first));
      differ[k] = bits;
    });
    key all = 0;
    for (const key bits : differ) all = static_cast<key>(all | bits);
    return static_cast<unsigned>(std::bit_width(all));
  }

  // The result goes to spare when to_spare, else it stays in v.
  static void highest_digit_first(T* v, T* spare, std::size_t n, bool to_spare) {
    const unsigned bits = differing_bits(v, n);
    if (bits == 0) {
      if (to_spare) std::copy_n(v, n, spare);
      return;
    }
    const unsigned shift = bits > 8 ? bits - 8 : 0;
    const counts ends = distribute(v, spare, n, shift);
    loop_each<cancellation::ignored>(ends.size(), 0, [&](std::size_t k) {
      const std::size_t begin = k == 0 ? 0 : ends[k - 1];
      const std::size_t size = ends[k] - begin;
      if (shift != 0 && size > serial_size)
        highest_digit_first(spare + begin, v + begin, size, !to_spare);
      else
        lowest_digit_first(spare + begin, v + begin, size, shift, !to_spare);
    });
  }

  // Moves v[0, n) to its buckets in `to`; returns where each ends.
  static counts distribute(const T* v, T* to, std::size_t n, unsigned shift) {
    const std::size_t blocks = block_count(n);
    std::vector<counts> place(blocks);
    loop_each<cancellation::ignored>(blocks, 0, [&](std::size_t k) {
      const T* end = v + block_begin(k + 1, blocks, n);
      counts count{};
      for (const T* p = v + block_begin(k, blocks, n); p != end; ++p) ++count[digit(*p, shift)];
      place[k] = count;
    });
    counts ends;
    std::size_t sum = 0;
    for (std::size_t d = 0; d < ends.size(); ++d) {
      for (counts& count : place) sum += std::exchange(count[d], sum);
      ends[d] = sum;
    }
    loop_each<cancellation::ignored>(blocks, 0, [&](std::size_t k) {
      counts next = place[k];
      const T* end = v + block_begin(k + 1, blocks, n);
      for (const T* p = v + block_begin(k, blocks, n); p != end; ++p)
        to[next[digit(*p, shift)]++] = *p;
    });
    return ends;
  }

  // Serial; looks at the lowest `bits` bits. The result goes to spare when to_spare.
  static void lowest_digit_first(T* v, T* spare, std::size_t n, unsigned bits, bool to_spare) {
    constexpr unsigned most_digits = sizeof(T);
    const unsigned digits = (bits + 7) / 8;
    T* from = v;
    T* to = spare;
    if (n > 1) {
      std::array<std::array<std::uint32_t, 256>, most_digits> count;
      std::fill_n(count.begin(), digits, std::array<std::uint32_t, 256>{});
      for (std::size_t i = 0; i < n; ++i)
        for (unsigned d = 0; d < digits; ++d) ++count[d][digit(v[i], 8 * d)];
      for (unsigned d = 0; d < digits; ++d) {
        if (count[d][digit(v[0], 8 * d)] == n) continue;
        std::uint32_t sum = 0;
        for (std::uint32_t& c : count[d]) sum += std::exchange(c, sum);
        for (std::size_t i = 0; i < n; ++i) to[count[d][digit(from[i], 8 * d)]++] = from[i];
        std::swap(from, to);
      }
    }
    T* const result = to_spare ? spare : v;
    if (from != result) std::copy_n(from, n, result);
  }
};

}  // namespace kasuri::detail
