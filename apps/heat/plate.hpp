// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// A square plate: hot in a disc, its edge held at 0. Explicit steps of the heat equation, 5-point
/// stencil.
namespace heat {

class plate {
 public:
  /// @param size  points in each direction, the edge not counted
  explicit plate(std::size_t size);

  std::size_t size() const noexcept { return size_; }

  /// Computes the rows [begin, end) of the next field from the current one. May be called for
  /// distinct rows at once.
  void update(std::size_t begin, std::size_t end) noexcept;
  /// The next field becomes the current one.
  void advance() noexcept { now_.swap(next_); }

  double at(std::size_t row, std::size_t column) const noexcept {
    return now_[(row + 1) * stride_ + column + 1];
  }
  /// Heat in the plate: the sum over its points, row by row.
  double total() const noexcept;
  /// Of the bits of all points.
  std::uint64_t checksum() const noexcept;
  /// Whether all points have the same bits.
  bool same_bits(const plate& other) const noexcept;

 private:
  std::size_t size_;
  std::size_t stride_;
  std::vector<double> now_;
  std::vector<double> next_;
};

}  // namespace heat
