// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/detail/sort/small.hpp"
#include "kasuri/range.hpp"

// Parallel quicksort, in place: the comparison sort behind parallel_sort.
//
// - Cheap elements are partitioned without a branch on the comparison, in a cycle of moves through
//   one gap (Lomuto's scheme as reworked by L. Bergdoll and O. Peters, 2023); others by Hoare's
//   scheme, which moves only what stands on the wrong side. So are cheap ones where most elements
//   stand on the right side already, as some samples show: then the branch is foreseen.
// - Long ranges are cut into chunks, partitioned side by side; then what stands on the wrong side
//   of the final boundary is swapped, again in parallel. The pairs of elements that meet depend on
//   the length alone, so the result, also among equal elements, is the same at any number of
//   workers.
// - A range whose pivot equals the element before it holds nothing smaller: its equal elements are
//   split off in one pass, so k different values cost O(n log k) (O. Peters, "Pattern-defeating
//   Quicksort", 2021).
// - Past 2 log2(n) levels a heap sort ends the range: O(n log n) always.
//
// Elements are only swapped, or moved through one local that is put back when the comparator
// throws: the range stays a permutation of itself. Every scan is bounded by indices, never by a
// sentinel, so a comparator that is no strict weak order cannot leave the range.

namespace kasuri::detail {

template <class It, class Less>
It partition_cheap(It first, It last, Less less_than_pivot) {
  if (first == last) return first;
  auto value = *first;
  It gap = first;
  It bound = first;
  KASURI_TRY {
    for (It next = first + 1; next != last; ++next) {
      const bool less = less_than_pivot(*next);
      *gap = *bound;
      *bound = *next;
      gap = next;
      bound += less;
    }
    const bool less = less_than_pivot(value);
    *gap = *bound;
    *bound = value;
    return bound + less;
  }
  KASURI_CATCH_ALL {
    *gap = value;
    KASURI_RETHROW;
  }
}

template <class It, class Less>
It partition_hoare(It first, It last, Less less_than_pivot) {
  for (;; ++first) {
    while (first != last && less_than_pivot(*first)) ++first;
    if (first == last) return first;
    do {
      if (--last == first) return first;
    } while (!less_than_pivot(*last));
    std::iter_swap(first, last);
  }
}

template <class It, class Less>
It partition_serial(It first, It last, bool in_order, Less less_than_pivot) {
  if constexpr (cheap_to_copy<std::iter_value_t<It>>)
    if (!in_order) return partition_cheap(first, last, less_than_pivot);
  return partition_hoare(first, last, less_than_pivot);
}

// Partitions a long range by chunks, then brings what is misplaced to its side.
template <class It>
class chunked_partition {
 public:
  // Enough chunks for some dozen workers, none too short to be worth a task.
  static constexpr std::size_t least_chunk = std::size_t{1} << 15;
  static constexpr std::size_t most_chunks = 64;
  // Shorter ranges are partitioned by one worker.
  static constexpr std::size_t least_size = 4 * least_chunk;

  chunked_partition(It first, It last)
      : first_(first),
        size_(static_cast<std::size_t>(last - first)),
        chunks_(std::min(size_ / least_chunk, most_chunks)),
        less_(chunks_) {}

  template <class Less>
  It operator()(bool in_order, Less& less_than_pivot) {
    loop_each<cancellation::ignored>(chunks_, 0, [&](std::size_t k) {
      const It mid = partition_serial(at(begin(k)), at(begin(k + 1)), in_order, less_than_pivot);
      less_[k] = static_cast<std::size_t>(mid - first_) - begin(k);
    });
    std::size_t boundary = 0;
    for (const std::size_t count : less_) boundary += count;
    swap_misplaced(boundary);
    return at(boundary);
  }

 private:
  struct interval {
    std::size_t begin;
    std::size_t end;
  };
  struct exchange {
    std::size_t left;
    std::size_t right;
    std::size_t count;
  };

  std::size_t begin(std::size_t k) const { return block_begin(k, chunks_, size_); }
  It at(std::size_t k) const { return first_ + static_cast<std::iter_difference_t<It>>(k); }

  // Both lists hold equally many elements: as many stand too far left as too far right.
  void swap_misplaced(std::size_t boundary) {
    std::vector<interval> left;
    std::vector<interval> right;
    for (std::size_t k = 0; k < chunks_; ++k) {
      const std::size_t mid = begin(k) + less_[k];
      const interval not_less{mid, std::min(begin(k + 1), boundary)};
      const interval less{std::max(begin(k), boundary), mid};
      if (not_less.begin < not_less.end) left.push_back(not_less);
      if (less.begin < less.end) right.push_back(less);
    }
    const auto exchanges = pair_up(std::move(left), std::move(right));
    loop_each<cancellation::ignored>(exchanges.size(), 0, [&](std::size_t k) {
      const exchange& e = exchanges[k];
      std::swap_ranges(at(e.left), at(e.left + e.count), at(e.right));
    });
  }

  static std::vector<exchange> pair_up(std::vector<interval> left, std::vector<interval> right) {
    std::vector<exchange> exchanges;
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
      const std::size_t count = std::min({l->end - l->begin, r->end - r->begin, least_chunk});
      exchanges.push_back({l->begin, r->begin, count});
      if ((l->begin += count) == l->end) ++l;
      if ((r->begin += count) == r->end) ++r;
    }
    return exchanges;
  }

  It first_;
  std::size_t size_;
  std::size_t chunks_;
  std::vector<std::size_t> less_;
};

template <class It, class Less>
It partition_range(It first, It last, bool in_order, Less less_than_pivot) {
  if (static_cast<std::size_t>(last - first) < chunked_partition<It>::least_size)
    return partition_serial(first, last, in_order, less_than_pivot);
  return chunked_partition<It>(first, last)(in_order, less_than_pivot);
}

// Swaps only, unlike the standard's, which would lose an element to a comparator that throws.
template <class It, class Compare>
void heap_sort(It first, It last, Compare& comp) {
  using distance_type = std::iter_difference_t<It>;
  const auto sift_down = [&](distance_type root, distance_type size) {
    for (distance_type child; (child = 2 * root + 1) < size; root = child) {
      if (child + 1 < size && comp(first[child], first[child + 1])) ++child;
      if (!comp(first[root], first[child])) return;
      std::iter_swap(first + root, first + child);
    }
  };
  const distance_type size = last - first;
  for (distance_type root = size / 2; root-- > 0;) sift_down(root, size);
  for (distance_type end = size; end-- > 1;) {
    std::iter_swap(first, first + end);
    sift_down(0, end);
  }
}

template <class It, class Compare>
class quicksort {
  using value = std::iter_value_t<It>;

 public:
  explicit quicksort(Compare& comp) noexcept : comp_(comp) {}

  void operator()(It first, It last) {
    sort(first, last, 2 * static_cast<int>(std::bit_width(length(first, last))), {});
  }

 private:
  static std::size_t length(It first, It last) { return static_cast<std::size_t>(last - first); }

  // What is known of a range.
  struct facts {
    // first[-1] exists, is in its final place and not greater than anything in the range.
    bool after = false;
    // Hardly any element is far from its place.
    bool in_order = false;
  };

  void sort(It first, It last, int levels, facts known) {
    while (length(first, last) > few<value>) {
      if (levels-- == 0) return heap_sort(first, last, comp_);
      const It middle = choose_pivot(first, length(first, last));
      if (cheap_to_copy<value> && length(first, last) > least_looked_at)
        known.in_order = is_about_in_order(first, last, middle);
      std::iter_swap(first, middle);
      if (known.after && !comp_(first[-1], *first)) {
        first = split_equal(first, last, known.in_order);
        continue;
      }
      const It pivot = split_less(first, last, known.in_order);
      if (last - first > serial_sort_size) {
        parallel_invoke([=, this] { sort(first, pivot, levels, known); },
                        [=, this] { sort(pivot + 1, last, levels, {true, known.in_order}); });
        return;
      }
      sort(first, pivot, levels, known);
      first = pivot + 1;
      known.after = true;
    }
    if (known.in_order)
      insertion_sort(first, last, comp_);
    else
      sort_few(first, last, comp_);
  }

  // The pivot is *first. Cheap ones are copied: the compiler then knows that no store changes it.
  It split_less(It first, It last, bool in_order) {
    const It mid = with_pivot(*first, [&](const value& pivot) {
      return partition_range(first + 1, last, in_order,
                             [&](const value& x) { return comp_(x, pivot); });
    });
    std::iter_swap(first, mid - 1);
    return mid - 1;
  }

  It split_equal(It first, It last, bool in_order) {
    return with_pivot(*first, [&](const value& pivot) {
      return partition_range(first + 1, last, in_order,
                             [&](const value& x) { return !comp_(pivot, x); });
    });
  }

  // Below that, looking costs more than it can save; a range inherits what is known of it.
  static constexpr std::size_t least_looked_at = 1024;

  // Whether of some elements spread over the range hardly any stands on the wrong side of *pivot.
  bool is_about_in_order(It first, It last, It pivot) {
    constexpr std::size_t samples = 32;
    constexpr int most_misplaced = 2;
    int misplaced = 0;
    for (std::size_t k = 0; k != samples; ++k) {
      const It at = first + static_cast<std::iter_difference_t<It>>(
                                block_begin(k, samples, length(first, last)));
      misplaced += at < pivot ? comp_(*pivot, *at) : comp_(*at, *pivot);
    }
    return misplaced <= most_misplaced;
  }

  template <class Use>
  static It with_pivot(const value& pivot, Use use) {
    if constexpr (cheap_to_copy<value>) {
      const value copy = pivot;
      return use(copy);
    } else {
      return use(pivot);
    }
  }

  It median(It a, It b, It c) {
    if (comp_(*b, *a)) std::swap(a, b);
    if (!comp_(*c, *b)) return b;
    return comp_(*c, *a) ? a : c;
  }

  // Medians of medians of three, of about n^0.53 elements spread over the range.
  It choose_pivot(It first, std::size_t n) {
    const auto at = [&](std::size_t k) {
      return first + static_cast<std::iter_difference_t<It>>(k);
    };
    if (n < 64) return median(at(n / 4), at(n / 2), at(n / 4 * 3));
    const std::size_t part = n / 8;
    return median(choose_pivot(first, part), choose_pivot(at(4 * part), part),
                  choose_pivot(at(7 * part), part));
  }

  Compare& comp_;
};

}  // namespace kasuri::detail
