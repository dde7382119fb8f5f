// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/invoke.hpp"

#include "kasuri/detail/sort/small.hpp"

// Parallel merge sort: the comparison sort behind parallel_stable_sort.
//
// Halves are sorted in parallel and merged in parallel: a long merge is cut where half of its
// output is full, by a binary search in both runs at once, and the two parts are merged side by
// side. Elements move between the caller's range and a buffer of the same length, a level each way.
//
// Nothing is lost when the comparator throws. Every step (sorting a few, merging two runs) catches,
// notes the first exception, and moves what is left of its input to its output as it stands; so all
// elements arrive back in the caller's range, and the exception is thrown again there. An element
// is never copied, unless it is trivially copyable.

namespace kasuri::detail {

// Room for n elements beside [first, first + n). Trivially copyable elements begin their life when
// they are copied in; others are moved in at once, and moved-from ones stay in the range.
template <class T>
class merge_buffer {
 public:
  template <class It>
  merge_buffer(It first, std::size_t n) : size_(n), data_(std::allocator<T>().allocate(n)) {
    if constexpr (!std::is_trivially_copyable_v<T>) {
      KASURI_TRY { std::uninitialized_move_n(first, n, data_); }
      KASURI_CATCH_ALL {
        std::allocator<T>().deallocate(data_, size_);
        KASURI_RETHROW;
      }
    }
  }
  merge_buffer(const merge_buffer&) = delete;
  merge_buffer& operator=(const merge_buffer&) = delete;
  ~merge_buffer() {
    if constexpr (!std::is_trivially_copyable_v<T>) std::destroy_n(data_, size_);
    std::allocator<T>().deallocate(data_, size_);
  }

  T* data() noexcept { return data_; }

  // True when the elements have been moved in.
  static constexpr bool holds_elements = !std::is_trivially_copyable_v<T>;

 private:
  std::size_t size_;
  T* data_;
};

class first_exception {
 public:
  // Call it in a handler.
  void note() noexcept {
    const std::lock_guard lock(mutex_);
    if (!exception_) exception_ = exception_of_task();
  }

  // Call it after all workers have come back.
  void rethrow() {
    if (exception_) std::rethrow_exception(std::move(exception_));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

// Two sorted runs; of equal elements, those of the left one come first.
template <class In>
struct runs {
  In left;
  In left_end;
  In right;
  In right_end;

  std::size_t left_size() const { return static_cast<std::size_t>(left_end - left); }
  std::size_t right_size() const { return static_cast<std::size_t>(right_end - right); }
};

// Cheap elements: without a branch on the comparison, and from both ends at once (see
// merge_halves). As long as both runs have 2m elements left, m steps need no test for an end.
template <class In, class Out, class Compare>
void merge_cheap(runs<In> r, Out out, Compare& comp) {
  Out out_end = out + (r.left_end - r.left) + (r.right_end - r.right);
  while (std::size_t steps = std::min(r.left_size(), r.right_size()) / 2) {
    for (; steps != 0; --steps) {
      const bool right = comp(*r.right, *r.left);
      *out++ = *select(right, r.right, r.left);
      r.right += right;
      r.left += !right;
      const bool left = comp(r.right_end[-1], r.left_end[-1]);
      *--out_end = select(left, r.left_end, r.right_end)[-1];
      r.left_end -= left;
      r.right_end -= !left;
    }
  }
  while (r.left != r.left_end && r.right != r.right_end)
    *out++ = comp(*r.right, *r.left) ? *r.right++ : *r.left++;
  out = std::copy(r.left, r.left_end, out);
  std::copy(r.right, r.right_end, out);
}

// Moves both runs to out. On an exception their elements arrive as well, in some order: where cheap
// ones are copied, the runs are still whole and simply copied anew; else r names exactly those not
// yet moved, because a step changes it only after the comparison. `in_order`: most of the left run
// comes before most of the right one, so that a branch on the comparison is foreseen.
template <class In, class Out, class Compare>
void merge_serial(runs<In> r, Out out, bool in_order, Compare& comp, first_exception& error) {
  KASURI_TRY {
    if constexpr (cheap_to_copy<std::iter_value_t<In>>)
      if (!in_order) return merge_cheap(r, out, comp);
    if (in_order && r.right != r.right_end) {
      const In stays = std::upper_bound(r.left, r.left_end, *r.right, std::ref(comp));
      out = std::move(r.left, stays, out);
      r.left = stays;
    }
    while (r.left != r.left_end && r.right != r.right_end) {
      if (comp(*r.right, *r.left))
        *out++ = std::move(*r.right++);
      else
        *out++ = std::move(*r.left++);
    }
  }
  KASURI_CATCH_ALL { error.note(); }
  out = std::move(r.left, r.left_end, out);
  std::move(r.right, r.right_end, out);
}

// How many of the first `taken` merged elements come from the left run. (Varman, Iyer, Haderle,
// Dunn: "Parallel Merging: Algorithm and Implementation Results", 1990.)
template <class In, class Compare>
std::size_t taken_from_left(const runs<In>& r, std::size_t taken, Compare& comp) {
  std::size_t low = taken > r.right_size() ? taken - r.right_size() : 0;
  std::size_t high = std::min(taken, r.left_size());
  while (low < high) {
    const std::size_t mid = low + (high - low) / 2;
    const auto left = static_cast<std::iter_difference_t<In>>(mid);
    const auto right = static_cast<std::iter_difference_t<In>>(taken - mid - 1);
    if (comp(r.right[right], r.left[left]))
      high = mid;
    else
      low = mid + 1;
  }
  return low;
}

template <class It, class Compare>
class merge_sort {
  using value = std::iter_value_t<It>;
  using buffer = merge_buffer<value>;

  // Up to this length one worker merges.
  static constexpr std::size_t serial_merge_size = std::size_t{1} << 14;

 public:
  explicit merge_sort(Compare& comp) noexcept : comp_(comp) {}

  void operator()(It first, It last) {
    const auto n = static_cast<std::size_t>(last - first);
    buffer spare(first, n);
    if constexpr (buffer::holds_elements)
      sort(spare.data(), first, n, {true, false});
    else
      sort(first, spare.data(), n, {false, false});
    error_.rethrow();
  }

 private:
  struct task {
    bool move;      // the sorted elements go to `other`
    bool in_order;  // hardly any element is far from its place
  };

  // Sorts the n elements at `from`, with room for as many at `other`.
  template <class From, class Other>
  void sort(From from, Other other, std::size_t n, task how) {
    if (n <= few<value>) return sort_leaf(from, other, n, how);
    if (n > least_looked_at) how.in_order = is_about_in_order(from, n);
    const std::size_t half = n / 2;
    const task inner{!how.move, how.in_order};
    const auto left = [=, this] { sort(from, other, half, inner); };
    const auto right = [=, this] { sort(at(from, half), at(other, half), n - half, inner); };
    if (n > static_cast<std::size_t>(serial_sort_size)) {
      parallel_invoke(left, right);
    } else {
      left();
      right();
    }
    if (how.move)
      join(from, n, other, how.in_order);
    else
      join(other, n, from, how.in_order);
  }

  template <class From, class Other>
  void sort_leaf(From from, Other other, std::size_t n, task how) {
    KASURI_TRY {
      if (how.in_order)
        insertion_sort(from, at(from, n), comp_);
      else
        sort_few(from, at(from, n), comp_);
    }
    KASURI_CATCH_ALL { error_.note(); }
    if (how.move) std::move(from, at(from, n), other);
  }

  // Below that, looking costs more than it can save; a range inherits what is known of it.
  static constexpr std::size_t least_looked_at = 1024;

  // Whether elements spread over the range are in order, but for hardly any.
  template <class From>
  bool is_about_in_order(From from, std::size_t n) {
    constexpr std::size_t samples = 32;
    constexpr int most_descents = 2;
    int descents = 0;
    KASURI_TRY {
      for (std::size_t k = 1; k != samples; ++k)
        descents += comp_(*at(from, n / samples * k), *at(from, n / samples * (k - 1)));
    }
    KASURI_CATCH_ALL { error_.note(); }
    return descents <= most_descents;
  }

  // Merges in[0, n / 2) and in[n / 2, n) into out; merely moves them when they are in order
  // already.
  template <class In, class Out>
  void join(In in, std::size_t n, Out out, bool in_order) {
    const std::size_t half = n / 2;
    KASURI_TRY {
      if (comp_(*at(in, half), *at(in, half - 1))) {
        if (!in_order && merged_halves(in, n, out)) return;
        return merge(runs<In>{in, at(in, half), at(in, half), at(in, n)}, out, in_order);
      }
    }
    KASURI_CATCH_ALL { error_.note(); }
    std::move(in, at(in, n), out);
  }

  // The fast way for what one worker merges. False when it does not apply, or has failed because
  // the comparator is no strict weak order; the input is whole then, for it was only copied.
  template <class In, class Out>
  bool merged_halves(In in, std::size_t n, Out out) {
    if constexpr (cheap_to_copy<value> && std::contiguous_iterator<In> &&
                  std::contiguous_iterator<Out>)
      return n <= serial_merge_size &&
             merge_halves(std::to_address(in), n, std::to_address(out), comp_);
    else
      return false;
  }

  // Lets no exception of the comparator out.
  template <class In, class Out>
  void merge(runs<In> r, Out out, bool in_order) {
    const std::size_t n = r.left_size() + r.right_size();
    if (n <= serial_merge_size) return merge_serial(r, out, in_order, comp_, error_);
    std::size_t from_left = 0;
    KASURI_TRY { from_left = taken_from_left(r, n / 2, comp_); }
    KASURI_CATCH_ALL {
      error_.note();
      return merge_serial(r, out, in_order, comp_, error_);
    }
    const In left = at(r.left, from_left);
    const In right = at(r.right, n / 2 - from_left);
    const runs<In> near{r.left, left, r.right, right};
    const runs<In> far{left, r.left_end, right, r.right_end};
    parallel_invoke([=, this] { merge(near, out, in_order); },
                    [=, this] { merge(far, at(out, n / 2), in_order); });
  }

  template <class Iter>
  static Iter at(Iter first, std::size_t k) {
    return first + static_cast<std::iter_difference_t<Iter>>(k);
  }

  Compare& comp_;
  first_exception error_;
};

}  // namespace kasuri::detail
