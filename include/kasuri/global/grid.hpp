// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Global arrays of two dimensions, row after row.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <type_traits>

#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"
#include "kasuri/global/vector.hpp"

namespace kasuri::global {

/// Rows of elements in global memory: a plain value of 24 bytes, for closures to capture. Rows that
/// follow each other lie side by side, so that several are one view and one checkout. A column does
/// not: it is a checkout for each row. No member checks its arguments; a checkout does, against the
/// allocation and not the row.
/// @par Thread-safety: as a value.
template <class T>
class grid_view {
 public:
  /// No elements.
  constexpr grid_view() noexcept = default;
  /// `rows` times `columns` elements from `first` on, row after row.
  constexpr grid_view(ptr<T> first, std::size_t rows, std::size_t columns) noexcept
      : first_(first), rows_(rows), columns_(columns) {}

  /// The number of rows.
  constexpr std::size_t rows() const noexcept { return rows_; }
  /// The number of elements of a row.
  constexpr std::size_t columns() const noexcept { return columns_; }

  /// The element in a row and column, both of which there must be.
  constexpr ptr<T> at(std::size_t row, std::size_t column) const noexcept {
    return first_ + static_cast<std::ptrdiff_t>(row * columns_ + column);
  }
  /// The elements of a row, which must exist.
  constexpr view<T> row(std::size_t row) const noexcept { return {at(row, 0), columns_}; }
  /// Rows [first, first + n), one behind the other.
  constexpr view<T> row_range(std::size_t first, std::size_t n) const noexcept {
    return {at(first, 0), n * columns_};
  }
  /// All elements, row after row.
  constexpr view<T> all() const noexcept { return row_range(0, rows_); }

 private:
  ptr<T> first_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

/// `rows` times `columns` elements of global memory, zero bytes at first, as a vector of so many:
/// equal parts of consecutive rows at each rank, or blocks of rows dealt out in turn. A part begins
/// at a whole block of KASURI_GLOBAL_BLOCK bytes, so a row may lie at two ranks. Constructed and
/// destroyed by all ranks, in the same order, outside of tasks; closures capture its view. It can
/// be moved, and not copied.
/// @par Thread-safety: as a vector.
template <class T>
class grid {
 public:
  /// Equal parts of consecutive rows.
  /// @param rows, columns  of the whole grid
  /// @throw error where their product does not fit into std::size_t; what the constructor of a
  ///        vector throws
  grid(std::size_t rows, std::size_t columns, blocked_t = blocked)
      : elements_(detail::elements_of_grid(rows, columns)), rows_(rows), columns_(columns) {}
  /// Blocks of rows, dealt out to the ranks in turn.
  /// @param rows, columns  of the whole grid
  /// @param d              its block counts rows; it is rounded up as that of a vector, so that
  ///                       blocks are of whole rows where a row is a multiple of
  ///                       KASURI_GLOBAL_BLOCK bytes
  /// @throw error where their product, or that of the block and the columns, does not fit into
  ///        std::size_t; what the constructor of a vector throws
  grid(std::size_t rows, std::size_t columns, cyclic d)
      : elements_(detail::elements_of_grid(rows, columns),
                  cyclic(detail::elements_of_grid(d.block, columns))),
        rows_(rows),
        columns_(columns) {}

  /// All elements, as closures capture them.
  grid_view<T> view() const noexcept { return {elements_.begin(), rows_, columns_}; }
  /// The number of rows.
  std::size_t rows() const noexcept { return rows_; }
  /// The number of elements of a row.
  std::size_t columns() const noexcept { return columns_; }

 private:
  vector<T> elements_;
  std::size_t rows_;
  std::size_t columns_;
};

}  // namespace kasuri::global
