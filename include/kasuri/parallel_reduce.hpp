// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "kasuri/detail/lazy_loop.hpp"
#include "kasuri/range.hpp"

/// \file
/// Reduction with a fixed tree: the same result, to the last bit, at any number of workers.

namespace kasuri {
namespace detail {

// Blocks by default: up to 256 for short loops, so that even long iterations are shared evenly by
// some dozen workers, then one for each 256 iterations, up to 1024. With a grain, up to 4096.
inline std::size_t reduce_blocks(std::size_t size, std::size_t grain) noexcept {
  if (grain != 0) return std::min<std::size_t>(divide_up(size, grain), 4096);
  return std::min(size, std::clamp<std::size_t>(size / 256, 256, 1024));
}

// A vector of T in which workers may write different elements at once (std::vector<bool> may not).
template <class T>
struct partial_result {
  T value;
};

// Folds neighbours at distance 1, 2, 4, ... into the left one.
template <class T, class Combine>
T fold_pairwise(std::vector<partial_result<T>>& partial, Combine& combine) {
  const std::size_t size = partial.size();
  for (std::size_t stride = 1; stride < size; stride *= 2)
    for (std::size_t i = 0; i + stride < size; i += 2 * stride)
      partial[i].value = combine(std::move(partial[i].value), std::move(partial[i + stride].value));
  return std::move(partial.front().value);
}

template <class T, class Index, class Map, class Combine>
T fold_block(const blocked_range<Index>& block, T value, Map& map, Combine& combine) {
  if constexpr (std::invocable<Map&, const blocked_range<Index>&, T>) {
    return map(block, std::move(value));
  } else {
    for (Index i = block.begin(); i != block.end(); ++i) value = combine(std::move(value), map(i));
    return value;
  }
}

}  // namespace detail

/// Reduces map(i) over all i of [first, last) with an associative operation.
///
/// The result depends on the input, the size and the grain alone, never on the number of workers or
/// on who stole what. It equals this serial order: cut the range into B nearly equal blocks (the
/// first size % B of them one longer); fold each block from the left, beginning with \p identity;
/// then combine the blocks at distance 1, 2, 4, ... pairwise. B is, with a grain,
/// min(ceil(size / grain), 4096); without, min(size, clamp(size / 256, 256, 1024)).
///
/// In a canceled task group the loop may stop early; the result is then a fold of some blocks only.
///
/// \param first, last  integers or random access iterators; an empty range gives \p identity
/// \param grain        the least iterations of a block; 0 lets the library choose. Give one where
///                     iterations are very short and the loop has fewer than some thousand
/// \param identity     neutral for \p combine; copied once for each block
/// \param map          either map(i), one value for each index, or map(range, value): folds a
///                     whole blocked_range of the indices into \p value and returns it
/// \param combine      combine(T, T) -> T, associative; needs not be commutative
/// \throws whatever the two callables throw; std::bad_alloc; std::out_of_range when \p first is
///         negative and the common type of the two is unsigned
template <class First, class Last, class T, class Map, class Combine>
  requires loop_index<common_index<First, Last>>
T parallel_reduce(First first, Last last, std::size_t grain, T identity, Map&& map,
                  Combine&& combine) {
  const auto range = detail::loop_range(first, last, grain);
  const std::size_t size = range.size();
  if (size == 0) return identity;
  const std::size_t blocks = detail::reduce_blocks(size, grain);
  if (blocks == 1) {
    const detail::attachment guest;  // as where it is divided
    return detail::fold_block(range, std::move(identity), map, combine);
  }
  std::vector<detail::partial_result<T>> partial(blocks, detail::partial_result<T>{identity});
  detail::loop_each(blocks, 0, [&](std::size_t k) {
    const auto block =
        range.slice(detail::block_begin(k, blocks, size), detail::block_begin(k + 1, blocks, size));
    T& value = partial[k].value;
    value = detail::fold_block(block, std::move(value), map, combine);
  });
  return detail::fold_pairwise(partial, combine);
}

/// parallel_reduce with an automatic grain.
template <class First, class Last, class T, class Map, class Combine>
  requires loop_index<common_index<First, Last>>
T parallel_reduce(First first, Last last, T identity, Map&& map, Combine&& combine) {
  return parallel_reduce(first, last, std::size_t{0}, std::move(identity), map, combine);
}

/// parallel_reduce over a range, with the range's grain.
template <class Index, class T, class Map, class Combine>
T parallel_reduce(const blocked_range<Index>& range, T identity, Map&& map, Combine&& combine) {
  return parallel_reduce(range.begin(), range.end(), range.grain(), std::move(identity), map,
                         combine);
}

}  // namespace kasuri
