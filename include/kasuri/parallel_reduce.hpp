// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasuri/detail/loop/alone.hpp"
#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/range.hpp"

/// \file
/// Reduction with a fixed tree: the same result, to the last bit, at any number of workers.

namespace kasuri {
namespace detail {

constexpr std::size_t most_reduce_blocks = 4096;

// Blocks by default: up to 64 for short loops, so that even long iterations are shared evenly by a
// dozen workers; then one for each 16 iterations, up to 256, of which a sum of doubles does not
// feel the blocks; then one for each 256, up to 1024. With a grain, up to 4096.
inline std::size_t reduce_blocks(std::size_t size, std::size_t grain) noexcept {
  if (grain != 0) return std::min<std::size_t>(divide_up(size, grain), most_reduce_blocks);
  const std::size_t blocks = std::max(std::min<std::size_t>(size / 16, 256), size / 256);
  return std::min(size, std::clamp<std::size_t>(blocks, 64, 1024));
}

// A vector of T in which workers may write different elements at once (std::vector<bool> may not).
template <class T>
struct partial_result {
  T value;
};

// Values of blocks, in their order, combined at distance 1, 2, 4 and so on: level k holds the value
// of 2^k blocks, as a binary counter does.
template <class T, class Combine>
class pairwise_fold {
 public:
  explicit pairwise_fold(Combine& combine) noexcept : combine_(combine) {}

  void add(T value) {
    std::size_t level = 0;
    for (; (blocks_ >> level & 1) != 0; ++level) {
      value = combine_(std::move(*values_[level]), std::move(value));
      values_[level].reset();
    }
    values_[level].emplace(std::move(value));
    ++blocks_;
  }

  // Of one block at least.
  T result() {
    auto level = static_cast<std::size_t>(std::countr_zero(blocks_));
    T value = std::move(*values_[level]);
    while (++level != values_.size())
      if (values_[level]) value = combine_(std::move(*values_[level]), std::move(value));
    return value;
  }

 private:
  Combine& combine_;
  std::size_t blocks_ = 0;
  std::array<std::optional<T>, std::bit_width(most_reduce_blocks)> values_;
};

template <class T, class Index, class Map, class Combine>
T fold_block(const blocked_range<Index>& block, T value, Map& map, Combine& combine) {
  if constexpr (std::invocable<Map&, const blocked_range<Index>&, T>) {
    return map(block, std::move(value));
  } else {
    for (Index i = block.begin(); i != block.end(); ++i) value = combine(std::move(value), map(i));
    return value;
  }
}

// Folds a tile into `value`, cell by cell.
template <class T, class Row, class Column, class Map, class Combine>
T fold_block(const blocked_range2d<Row, Column>& tile, T value, Map& map, Combine& combine) {
  if constexpr (std::invocable<Map&, const blocked_range2d<Row, Column>&, T>) {
    return map(tile, std::move(value));
  } else {
    for (Row i = tile.rows().begin(); i != tile.rows().end(); ++i)
      for (Column k = tile.columns().begin(); k != tile.columns().end(); ++k)
        value = combine(std::move(value), map(i, k));
    return value;
  }
}
template <class T, class Page, class Row, class Column, class Map, class Combine>
T fold_block(const blocked_range3d<Page, Row, Column>& tile, T value, Map& map, Combine& combine) {
  if constexpr (std::invocable<Map&, const blocked_range3d<Page, Row, Column>&, T>) {
    return map(tile, std::move(value));
  } else {
    for (Page p = tile.pages().begin(); p != tile.pages().end(); ++p)
      for (Row i = tile.rows().begin(); i != tile.rows().end(); ++i)
        for (Column k = tile.columns().begin(); k != tile.columns().end(); ++k)
          value = combine(std::move(value), map(p, i, k));
    return value;
  }
}

// Stands for what map returns where it cannot be called.
struct no_value {};

// What map returns.
template <class T, class Map, class Range, class... Indices>
constexpr auto mapped() noexcept {
  if constexpr (std::is_invocable_v<Map&, const Range&, T>)
    return std::type_identity<std::invoke_result_t<Map&, const Range&, T>>();
  else if constexpr (std::is_invocable_v<Map&, Indices&...>)
    return std::type_identity<std::invoke_result_t<Map&, Indices&...>>();
  else
    return std::type_identity<no_value>();
}

template <class T, class Map, class Combine, class Range, class Value>
constexpr bool combines() noexcept {
  if constexpr (std::is_void_v<Value> || std::is_same_v<Value, no_value>)
    return true;  // another message says more
  else if constexpr (std::is_invocable_v<Map&, const Range&, T>)
    return std::is_invocable_r_v<T, Combine&, T, T>;
  else
    return std::is_invocable_r_v<T, Combine&, T, Value>;
}

// Says what map and combine of a parallel_reduce are: map folds a Range, or is called with Indices.
template <class T, class Map, class Combine, class Range, class... Indices>
struct reduction_parts {
  using value = typename decltype(mapped<T, Map, Range, Indices...>())::type;
  static constexpr bool is_called = !std::is_same_v<value, no_value>;
  static constexpr bool is_combined = combines<T, Map, Combine, Range, value>();
  static constexpr bool fit = is_called && is_combined && !std::is_void_v<value>;

  static_assert(is_called,
                "kasuri::parallel_reduce: map is called as map(i) with an index, or with an "
                "iterator, whose element is *i, of each dimension; or as map(range, value)");
  static_assert(!std::is_void_v<value>, "kasuri::parallel_reduce: map returns a value, not void");
  static_assert(!loses_fraction<T, value>,
                "kasuri::parallel_reduce: the identity is an integer, and would lose the fraction "
                "of what map returns: begin with 0.0");
  static_assert(is_combined,
                "kasuri::parallel_reduce: combine is called as combine(T, T) with two values of "
                "the identity's type, and returns such a value");
};

// Calls reduce(number of tiles, fold), where fold(block, value) folds the tiles whose numbers are
// in the block, one behind the other.
template <class Range, class Fold, class Reduce>
auto reduce_tiles(const Range& range, Fold fold_tile, Reduce reduce) {
  const tiles all(range);
  return reduce(range.empty() ? 0 : all.count(),
                [&](const blocked_range<std::size_t>& block, auto value) {
                  for (std::size_t k = block.begin(); k != block.end(); ++k)
                    value = fold_tile(all[k], std::move(value));
                  return value;
                });
}

// What the pace of a reduction is kept by.
template <class Index, class T, class Map, class Combine>
struct reduction;

// A reduction that gives the same result however its range is cut. A piece of its loop.
template <class T, class Index, class Map, class Combine>
class any_cut_fold {
 public:
  any_cut_fold(const blocked_range<Index>& range, std::size_t grain, const T& identity, Map& map,
               Combine& combine)
      : range_(&range),
        grain_(grain),
        count_(divide_up(range.size(), grain)),
        identity_(identity),
        map_(std::addressof(map)),
        combine_(std::addressof(combine)) {}

  /// Of its grains, the last perhaps a shorter one.
  std::size_t count() const { return count_; }
  void operator()(std::size_t begin, std::size_t end) {
    const std::size_t to = end == count_ ? range_->size() : end * grain_;
    value_ = fold_block(range_->slice(begin * grain_, to), value_, *map_, *combine_);
  }
  any_cut_fold divided() const { return {*range_, grain_, identity_, *map_, *combine_}; }
  void add(any_cut_fold far) { value_ = (*combine_)(T(value_), T(far.value_)); }
  T result() const { return value_; }

 private:
  const blocked_range<Index>* range_;
  std::size_t grain_;
  std::size_t count_;
  T identity_;
  Map* map_;
  Combine* combine_;
  T value_ = identity_;
};

// Adds the blocks of `range` to `to`: the first ones alone, the others in parallel.
template <class T, class Index, class Map, class Combine>
void fold_blocks(const blocked_range<Index>& range, std::size_t blocks, const T& identity, Map& map,
                 Combine& combine, pairwise_fold<T, Combine>& to) {
  const equal_blocks cut(blocks, range.size());
  const auto fold_one = [&](std::size_t k, T value) {
    return fold_block(range.slice(cut.begin(k), cut.begin(k + 1)), std::move(value), map, combine);
  };
  using kind = reduction<Index, T, Map, Combine>;
  const auto add_blocks = [&](std::size_t begin, std::size_t end) {
    for (; begin != end; ++begin) to.add(fold_one(begin, identity));
    return true;
  };
  const std::size_t in_block = divide_up(range.size(), blocks);
  const std::size_t done = alone<kind>(blocks, in_block, 1, alone_ticks(), add_blocks);
  if (done == blocks) return;
  std::vector<partial_result<T>> partial(blocks - done, partial_result<T>{identity});
  const auto fold_partial = [&](std::size_t begin, std::size_t end) {
    for (; begin != end; ++begin) {
      T& value = partial[begin - done].value;
      value = fold_one(begin, std::move(value));
    }
  };
  using loop = lazy_loop<decltype(fold_partial), cancellation::obeyed, equal_iterations, kind>;
  loop{fold_partial, {}, in_block}(blocks, done);
  for (partial_result<T>& each : partial) to.add(std::move(each.value));
}

// Where all cuts give the same result.
template <class T, class Index, class Map, class Combine>
T fold_anyhow(const blocked_range<Index>& range, const T& identity, Map& map, Combine& combine) {
  const std::size_t grain = std::max<std::size_t>(range.grain(), 1);
  using fold = any_cut_fold<T, Index, Map, Combine>;
  fold all(range, grain, identity, map, combine);
  const auto fold_alone = [&all](std::size_t begin, std::size_t end) {
    all(begin, end);
    return true;
  };
  const std::size_t done = alone<fold>(all.count(), grain, 1, alone_ticks(), fold_alone);
  if (done != all.count()) lazy_loop<fold>{all, {}, grain}(all.count(), done);
  return all.result();
}

}  // namespace detail

/// Reduces map(i) over all i of [first, last) with an associative operation.
///
/// The result depends on the input, the size and the grain alone, never on the number of workers or
/// on who stole what. It equals this serial order: cut the range into B nearly equal blocks (the
/// first size % B of them one longer); fold each block from the left, beginning with \p identity;
/// then combine the blocks at distance 1, 2, 4, ... pairwise. B is, with a grain,
/// min(ceil(size / grain), 4096); without, size up to 64, then 64, then size / 16 up to 256, then
/// size / 256 up to 1024. Where T is an integer type, which gives the same result however the
/// range is cut, it is cut as the loop goes.
///
/// A reduction that is over within some microseconds is its caller's alone; what one of the same
/// kind took before says whether it will be.
///
/// In a canceled task group the loop may stop early; the result is then a fold of some blocks only.
///
/// \param first, last  integers or random access iterators; an empty range gives \p identity. Of
///                     iterators map gets the iterator, not the element: transform_reduce of
///                     algorithm.hpp takes elements
/// \param grain        the least iterations of a block; 0 lets the library choose. Give 1 where
///                     iterations are long, their times differ, and the loop has fewer than some
///                     thousand of them
/// \param identity     neutral for \p combine; copied once for each block
/// \param map          either map(i), one value for each index, called once for each, so that it
///                     may write to element i of something; or map(range, value): folds a whole
///                     blocked_range of the indices into \p value and returns it
/// \param combine      combine(T, T) -> T, associative; needs not be commutative
/// \throws whatever the two callables throw; std::bad_alloc; std::out_of_range when \p first is
///         negative and the common type of the two is unsigned
template <class First, class Last, class T, class Map, class Combine>
  requires loop_index<common_index<First, Last>>
T parallel_reduce(First first, Last last, std::size_t grain, T identity, Map&& map,
                  Combine&& combine) {
  const auto range = detail::loop_range(first, last, grain);
  using index = common_index<First, Last>;
  using parts = detail::reduction_parts<T, Map, Combine, blocked_range<index>, index>;
  if (range.size() == 0) return identity;
  const detail::attachment guest;  // also where nothing is divided
  const std::size_t blocks = detail::reduce_blocks(range.size(), grain);
  if constexpr (!parts::fit) {
    return identity;
  } else {
    if (blocks == 1) return detail::fold_block(range, std::move(identity), map, combine);
    if constexpr (std::integral<T>) {
      return detail::fold_anyhow(range, identity, map, combine);
    } else {
      detail::pairwise_fold<T, std::remove_reference_t<Combine>> all(combine);
      detail::fold_blocks(range, blocks, identity, map, combine, all);
      return all.result();
    }
  }
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

/// parallel_reduce over the cells of a rectangle.
///
/// The result depends on the input, the extents and the grains alone. It equals this serial order:
/// cover the rectangle with tiles as parallel_for does (of the grains' extents; where a grain is 0,
/// of ceil(extent / 32)), and number them in row-major order; then reduce over their numbers, with
/// grain 1, as parallel_reduce over so many indices does (so there are min(tiles, 4096) blocks of
/// tiles); where a block is folded from the left, its tiles are folded one behind the other, and
/// each cell by cell in row-major order.
/// \param range     rows and columns; one without cells gives \p identity
/// \param identity  neutral for \p combine; copied once for each block
/// \param map       either map(row, column), one value for each cell, called once for each; or
///                  map(tile, value): folds a whole blocked_range2d of the cells into \p value and
///                  returns it
/// \param combine   combine(T, T) -> T, associative; needs not be commutative
/// \throws whatever the two callables throw; std::bad_alloc
template <class Row, class Column, class T, class Map, class Combine>
T parallel_reduce(const blocked_range2d<Row, Column>& range, T identity, Map&& map,
                  Combine&& combine) {
  using cells = blocked_range2d<Row, Column>;
  if constexpr (!detail::reduction_parts<T, Map, Combine, cells, Row, Column>::fit)
    return identity;
  else
    return detail::reduce_tiles(
        range,
        [&](const cells& tile, T value) {
          return detail::fold_block(tile, std::move(value), map, combine);
        },
        [&](std::size_t count, auto fold) {
          return parallel_reduce(std::size_t{0}, count, std::size_t{1}, std::move(identity), fold,
                                 combine);
        });
}

/// The same over the cells of a box; \p map is map(page, row, column) or map(tile, value).
template <class Page, class Row, class Column, class T, class Map, class Combine>
T parallel_reduce(const blocked_range3d<Page, Row, Column>& range, T identity, Map&& map,
                  Combine&& combine) {
  using cells = blocked_range3d<Page, Row, Column>;
  if constexpr (!detail::reduction_parts<T, Map, Combine, cells, Page, Row, Column>::fit)
    return identity;
  else
    return detail::reduce_tiles(
        range,
        [&](const cells& tile, T value) {
          return detail::fold_block(tile, std::move(value), map, combine);
        },
        [&](std::size_t count, auto fold) {
          return parallel_reduce(std::size_t{0}, count, std::size_t{1}, std::move(identity), fold,
                                 combine);
        });
}

}  // namespace kasuri
