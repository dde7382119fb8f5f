// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "kasuri/detail/exceptions.hpp"

// Sorting a few elements, stably. If the comparator throws, the elements are left as some
// permutation of themselves. A comparator that is no strict weak order gives a wrong order, never
// an access out of bounds.

namespace kasuri::detail {

// Elements that are copied for less than a mispredicted branch costs. For them the algorithms copy
// always and let the comparison's result only decide where to, so that there is no branch on it.
template <class T>
constexpr bool cheap_to_copy =
    std::is_trivially_copyable_v<T> && std::copyable<T> && sizeof(T) <= 16;

// Below this length a recursion ends. For cheap elements sort_cheap_few takes up to as many.
template <class T>
constexpr std::size_t few = cheap_to_copy<T> ? 32 : 16;

// Up to this length one worker sorts.
constexpr std::ptrdiff_t serial_sort_size = 4096;

template <std::random_access_iterator It, class Compare>
void insertion_sort(It first, It last, Compare& comp) {
  if (first == last) return;
  for (It i = first + 1; i != last; ++i) {
    if (!comp(*i, i[-1])) continue;
    auto value = std::move(*i);
    It hole = i;
    KASURI_TRY {
      do {
        *hole = std::move(hole[-1]);
        --hole;
      } while (hole != first && comp(value, hole[-1]));
    }
    KASURI_CATCH_ALL {
      *hole = std::move(value);
      KASURI_RETHROW;
    }
    *hole = std::move(value);
  }
}

// choice ? yes : no for two places of one array, by arithmetic: compilers make a branch of the
// conditional expression, which a merge of random data mispredicts every other time.
template <std::random_access_iterator It>
It select(bool choice, It yes, It no) {
  return no + ((yes - no) & -static_cast<std::iter_difference_t<It>>(choice));
}

// Merges the sorted halves [a, a + n / 2) and [a + n / 2, a + n) into out, from both ends at once:
// two independent chains of loads, and n / 2 steps each without any test for an end, because in k
// steps no pointer moves more than k places. Returns false when the two ends have not met, which
// only a comparator that is no strict weak order brings about; out is then no permutation.
template <class T, class Compare>
bool merge_halves(const T* a, std::size_t n, T* out, Compare& comp) {
  const T* b = a + n / 2;
  const T* a_last = b - 1;
  const T* b_last = a + n - 1;
  T* out_last = out + n - 1;
  for (std::size_t k = n / 2; k != 0; --k) {
    const bool second = comp(*b, *a);
    *out++ = *select(second, b, a);
    b += second;
    a += !second;
    const bool first = comp(*b_last, *a_last);
    *out_last-- = *select(first, a_last, b_last);
    a_last -= first;
    b_last -= !first;
  }
  if (n % 2 != 0) {
    const bool from_a = a <= a_last;
    *out = *(from_a ? a : b);
    a += from_a;
    b += !from_a;
  }
  return a == a_last + 1 && b == b_last + 1;
}

// A sorting network of adjacent exchanges only, which makes it stable; n <= 4.
template <class T, class Compare>
void sort_four(T* v, std::size_t n, Compare& comp) {
  const auto exchange = [&](std::size_t i) {
    const T x = v[i];
    const T y = v[i + 1];
    const bool swapped = comp(y, x);
    v[i] = swapped ? y : x;
    v[i + 1] = swapped ? x : y;
  };
  if (n == 4) {
    exchange(0), exchange(2), exchange(1), exchange(0), exchange(2), exchange(1);
  } else if (n == 3) {
    exchange(0), exchange(1), exchange(0);
  } else if (n == 2) {
    exchange(0);
  }
}

// Uninitialised room for N cheap elements: such types begin their life when they are copied in.
template <class T, std::size_t N>
class scratch {
 public:
  T* data() noexcept { return reinterpret_cast<T*>(bytes_); }

 private:
  alignas(T) std::byte bytes_[N * sizeof(T)];
};

// Sorts v[0, n), n <= few<T>, with room for as many in `spare`.
template <class T, class Compare>
void sort_cheap_few(T* v, std::size_t n, T* spare, Compare& comp) {
  if (n <= 4) return sort_four(v, n, comp);
  sort_cheap_few(v, n / 2, spare, comp);
  sort_cheap_few(v + n / 2, n - n / 2, spare, comp);
  std::copy_n(v, n, spare);
  KASURI_TRY {
    if (merge_halves(spare, n, v, comp)) return;
  }
  KASURI_CATCH_ALL {
    std::copy_n(spare, n, v);
    KASURI_RETHROW;
  }
  std::copy_n(spare, n, v);
}

// Stable; at most few<T> elements.
template <std::random_access_iterator It, class Compare>
void sort_few(It first, It last, Compare& comp) {
  using value = std::iter_value_t<It>;
  if constexpr (cheap_to_copy<value> && std::contiguous_iterator<It>) {
    scratch<value, few<value>> spare;
    sort_cheap_few(std::to_address(first), static_cast<std::size_t>(last - first), spare.data(),
                   comp);
  } else {
    insertion_sort(first, last, comp);
  }
}

}  // namespace kasuri::detail
