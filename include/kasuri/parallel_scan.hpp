// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "kasuri/detail/loop/alone.hpp"
#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/range.hpp"
#include "kasuri/runtime.hpp"

/// \file
/// Prefix sums for any associative operation.

namespace kasuri {

/// The prefix that an element gets: with itself, or of the elements before it only.
enum class scan { inclusive, exclusive };

namespace detail {

// What a scan knows where it stands.
template <class T>
struct prefix_so_far {
  static constexpr bool two_sums = false;
  T prefix;

  template <class Op, class X>
  void add(Op& op, const X& x) {
    prefix = op(std::move(prefix), x);
  }
};

// ... and the sum of the block so far.
template <class T>
struct prefix_and_sum {
  static constexpr bool two_sums = true;
  T prefix;
  T sum;

  template <class Op, class X>
  void add(Op& op, const X& x) {
    sum = op(std::move(sum), x);
    prefix = op(std::move(prefix), x);
  }
};

// Calls step() n times; a step that makes two sums, four times in a row. A core that runs another
// thread beside the scan issues half of its instructions for each. In the time of one sum that half
// holds two sums, a load and a store, but not the steps of the loop for each element as well.
template <bool TwoSums, class Step>
void repeat(std::size_t n, Step step) {
  if constexpr (TwoSums) {
    for (; n >= 4; n -= 4) {
      step();
      step();
      step();
      step();
    }
  }
  for (; n != 0; --n) step();
}

// Writes the prefixes of [from, end) behind `so_far`. An element is read before its place may be
// written: the scan may be in place.
template <class In, class Out, class SoFar, class Op>
SoFar scan_block(In from, In end, Out to, SoFar so_far, Op& op, scan kind) {
  const std::size_t size = distance(from, end);
  if (kind == scan::inclusive) {
    repeat<SoFar::two_sums>(size, [&] {
      so_far.add(op, *from++);
      *to++ = so_far.prefix;
    });
  } else {
    repeat<SoFar::two_sums>(size, [&] {
      auto before = so_far.prefix;
      so_far.add(op, *from++);
      *to++ = std::move(before);
    });
  }
  return so_far;
}

// A scan of blocks whose prefixes are the same however many workers take part.
//
// Where the prefix before a block is known, one pass writes the block's prefixes and makes its own
// sum, from which the prefix before the next block follows. A worker goes on like that from the
// left, until a thief wants work: it gives away the far half, of which the thief can make the sums
// only. When the near half has ended, their prefixes follow, and a second pass writes them. So only
// what is taken is read twice. A far half that nobody takes before the near one has ended has its
// prefix: it goes on in one pass.
template <class In, class Out, class T, class Op>
class block_scan {
 public:
  block_scan(In first, std::size_t size, std::size_t blocks, Out out, Op& op, scan kind)
      : first_(first), size_(size), blocks_(blocks), out_(out), op_(op), kind_(kind) {}

  T operator()(T identity) {
    std::optional<T> at;
    const auto go_over = [&](std::size_t begin, std::size_t end) {
      for (; begin != end; ++begin) at = go_on(begin, at ? std::move(*at) : identity);
      return true;
    };
    const std::size_t done = alone<block_scan>(blocks_, in_block(), 1, worth_dividing(), go_over);
    if (done == blocks_) return std::move(*at);
    sums_.resize(blocks_);
    // The first division wakes workers that are asleep and ask nobody.
    return divide(done, blocks_, at ? std::move(*at) : std::move(identity));
  }

 private:
  /// Shorter scans are not worth dividing: what others take is read twice.
  static std::uint64_t worth_dividing() {
    constexpr unsigned by_one_more_us = 60;
    const std::uint64_t ticks = about_ticks_of_us(by_one_more_us);
    return std::max(alone_ticks(), ticks / static_cast<unsigned>(num_workers()));
  }

  /// Elements, about.
  std::size_t in_block() const { return divide_up(size_, blocks_); }

  In begin(std::size_t k) const { return advance(first_, block_begin(k, blocks_, size_)); }

  /// Writes block k. The prefix behind it. Not inlined: the two sums stay in registers.
  [[gnu::noinline]] T go_on(std::size_t k, T prefix) {
    const bool is_at_an_end = k == 0 || k + 1 == blocks_;
    if (std::integral<T> || is_at_an_end) return scan_one(k, std::move(prefix));
    const In from = begin(k);
    const Out to = place_of(k);
    const T before = prefix;
    T first = *from;
    auto one = scan_block(from, from + 1, to, prefix_so_far<T>{std::move(prefix)}, op_, kind_);
    auto all = scan_block(from + 1, begin(k + 1), to + 1,
                          prefix_and_sum<T>{std::move(one.prefix), std::move(first)}, op_, kind_);
    return op_(before, std::move(all.sum));
  }

  Out place_of(std::size_t k) const { return advance(out_, block_begin(k, blocks_, size_)); }

  T scan_one(std::size_t k, T prefix) {
    return scan_block(begin(k), begin(k + 1), place_of(k), prefix_so_far<T>{std::move(prefix)}, op_,
                      kind_)
        .prefix;
  }

  /// Blocks [from, to), before which the prefix is known. The prefix behind them.
  T scan_all(std::size_t from, std::size_t to, T prefix) {
    const std::uint64_t began = ticks();
    const std::size_t blocks = to - from;
    for (; from != to; ++from) {
      if (to - from > 1 && work_wanted()) [[unlikely]]
        return divide(from, to, std::move(prefix));
      prefix = go_on(from, std::move(prefix));
    }
    // Of a small part the time may be that of easy elements.
    if (4 * blocks >= blocks_) pace<block_scan>::learn_of_all(ticks() - began, blocks * in_block());
    return prefix;
  }

  T divide(std::size_t from, std::size_t to, T prefix) {
    if (to - from == 1) return go_on(from, std::move(prefix));
    const std::size_t mid = to - (to - from) / 2;
    std::optional<T> near, far;
    std::atomic<bool> near_has_ended{false};
    parallel_invoke(
        [&] {
          near.emplace(scan_all(from, mid, std::move(prefix)));
          // release: pairs with the acquire below
          near_has_ended.store(true, std::memory_order_release);
        },
        [&] {
          // acquire: pairs with the release above: the prefix is there
          if (near_has_ended.load(std::memory_order_acquire))
            far.emplace(scan_all(mid, to, *near));
          else
            loop_each<cancellation::ignored>(to - mid, 0,
                                             [&](std::size_t k) { sums_[mid + k] = sum(mid + k); });
        });
    return far ? std::move(*far) : scan_again(mid, to, std::move(*near));
  }

  /// Blocks [from, to), whose sums are there. Their sums become the prefixes before them.
  T scan_again(std::size_t from, std::size_t to, T prefix) {
    for (std::size_t k = from; k != to; ++k) {
      T next = op_(prefix, std::move(*sums_[k]));
      sums_[k] = std::move(prefix);
      prefix = std::move(next);
    }
    std::optional<T> total;
    loop_each<cancellation::ignored>(to - from, 0, [&](std::size_t i) {
      T end = scan_one(from + i, std::move(*sums_[from + i]));
      if (from + i + 1 == blocks_) total.emplace(std::move(end));
    });
    return total ? std::move(*total) : std::move(prefix);
  }

  T sum(std::size_t k) {
    In from = begin(k);
    const In end = begin(k + 1);
    T value = *from;
    while (++from != end) value = op_(std::move(value), *from);
    return value;
  }

  In first_;
  std::size_t size_;
  std::size_t blocks_;
  Out out_;
  Op& op_;
  scan kind_;
  std::vector<std::optional<T>> sums_ = {};
};

constexpr std::size_t default_scan_grain = 2048;
constexpr std::size_t most_scan_blocks = 256;

}  // namespace detail

/// Writes the prefix sums of [first, last) from \p out on; \p out may be \p first.
///
/// Deterministic: the result depends on the input, the size and the grain alone, never on the
/// number of workers. The range is cut into B = min(ceil(size / grain), 256) nearly equal blocks;
/// the prefix before block k+1 is op(prefix before block k, left fold of block k). With one block
/// it is the plain serial scan; otherwise \p op is called twice for each element, once where T is
/// an integer type, and once more for those that another worker takes, which are read twice
/// (Blelloch, "Prefix Sums and Their Applications", 1990). A scan of which others would save little
/// is its caller's alone; what one of the same kind took before says which.
///
/// A scan that has begun runs to its end also in a canceled task group.
///
/// \param first, last  the input
/// \param out          where the prefixes go; must have room for as many
/// \param identity     what stands before the first element; takes part in every prefix
/// \param op           op(T, T) -> T, associative; needs not be commutative
/// \param kind         inclusive: element i gets x0 + ... + xi; exclusive: without xi
/// \param grain        the least elements of a block; 0 means 2048. Make it smaller for costly
///                     operations
/// \return the sum of \p identity and all elements
/// \throws whatever \p op or a copy throws (the output is then unspecified); std::bad_alloc
template <std::random_access_iterator In, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
T parallel_scan(In first, In last, Out out, T identity, Op op = {}, scan kind = scan::inclusive,
                std::size_t grain = 0) {
  static_assert(!detail::loses_fraction<T, std::iter_reference_t<In>>,
                "kasuri::parallel_scan: the first value is an integer, and would lose the fraction "
                "of the elements: begin with 0.0");
  const std::size_t size = detail::distance(first, last);
  if (grain == 0) grain = detail::default_scan_grain;
  const std::size_t blocks = std::min(detail::divide_up(size, grain), detail::most_scan_blocks);
  if (blocks < 2)
    return detail::scan_block(first, last, out, detail::prefix_so_far<T>{std::move(identity)}, op,
                              kind)
        .prefix;
  return run([&] {
    detail::block_scan<In, Out, T, Op> passes(first, size, blocks, out, op, kind);
    return passes(std::move(identity));
  });
}

}  // namespace kasuri
