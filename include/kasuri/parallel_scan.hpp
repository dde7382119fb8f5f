// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "kasuri/detail/lazy_loop.hpp"
#include "kasuri/range.hpp"
#include "kasuri/runtime.hpp"

/// \file
/// Prefix sums for any associative operation.

namespace kasuri {

/// The prefix that an element gets: with itself, or of the elements before it only.
enum class scan { inclusive, exclusive };

namespace detail {

template <class In, class Out, class T, class Op>
T scan_block(In from, In end, Out to, T value, Op& op, scan kind) {
  if (kind == scan::inclusive) {
    for (; from != end; ++from, ++to) {
      value = op(std::move(value), *from);
      *to = value;
    }
  } else {
    // The sum is made before the store, which overwrites the input when the scan is in place.
    for (; from != end; ++from, ++to) {
      T next = op(value, *from);
      *to = std::move(value);
      value = std::move(next);
    }
  }
  return value;
}

// Two passes over blocks: sums of all blocks but the last (the first block, whose prefix is known,
// is scanned at once), prefixes of the sums, then the scans of the others.
template <class In, class Out, class T, class Op>
class block_scan {
 public:
  block_scan(In first, std::size_t size, std::size_t blocks, Out out, Op& op, scan kind)
      : first_(first), size_(size), blocks_(blocks), out_(out), op_(op), kind_(kind) {}

  T operator()(T identity) {
    std::vector<std::optional<T>> value(blocks_);
    loop_each<cancellation::ignored>(
        blocks_ - 1, 0, [&](std::size_t k) { value[k] = k == 0 ? scan_one(0, identity) : sum(k); });
    for (std::size_t k = 1; k + 1 < blocks_; ++k) value[k] = op_(*value[k - 1], *value[k]);
    loop_each<cancellation::ignored>(blocks_ - 1, 0, [&](std::size_t k) {
      T total = scan_one(k + 1, *value[k]);
      if (k + 2 == blocks_) value[k + 1] = std::move(total);
    });
    return std::move(*value.back());
  }

 private:
  In begin(std::size_t k) const { return advance(first_, block_begin(k, blocks_, size_)); }

  T scan_one(std::size_t k, T prefix) {
    return scan_block(begin(k), begin(k + 1), advance(out_, block_begin(k, blocks_, size_)),
                      std::move(prefix), op_, kind_);
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
};

constexpr std::size_t default_scan_grain = 2048;
constexpr std::size_t most_scan_blocks = 256;

}  // namespace detail

/// Writes the prefix sums of [first, last) from \p out on; \p out may be \p first.
///
/// Deterministic: the result depends on the input, the size and the grain alone, never on the
/// number of workers. The range is cut into B = min(ceil(size / grain), 256) nearly equal blocks;
/// the prefix before block k+1 is op(prefix before block k, left fold of block k). With one block
/// it is the plain serial scan; otherwise each element is read twice and \p op is called up to
/// twice for it (Blelloch, "Prefix Sums and Their Applications", 1990).
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
  const std::size_t size = detail::distance(first, last);
  if (grain == 0) grain = detail::default_scan_grain;
  const std::size_t blocks = std::min(detail::divide_up(size, grain), detail::most_scan_blocks);
  if (blocks < 2) return detail::scan_block(first, last, out, std::move(identity), op, kind);
  return run([&] {
    detail::block_scan<In, Out, T, Op> passes(first, size, blocks, out, op, kind);
    return passes(std::move(identity));
  });
}

}  // namespace kasuri
