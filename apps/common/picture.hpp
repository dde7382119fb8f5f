// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Pictures in false colours, written as PNG.
namespace apps {

/// Square; row 0 is the top one. A pixel is an index into a palette from blue (0) over white to red
/// (`hottest`), then black (`line`).
class picture {
 public:
  static constexpr std::uint8_t hottest = 254;
  static constexpr std::uint8_t line = 255;

  explicit picture(std::size_t side) : side_(side), pixels_(side * side) {}

  std::size_t side() const noexcept { return side_; }
  std::uint8_t& at(std::size_t row, std::size_t column) { return pixels_[row * side_ + column]; }

  /// The colour of `value`; what is below 0 or above 1 gets the colour of the end it lies beyond.
  static std::uint8_t colour(double value) noexcept;

  /// Writes the picture.
  /// @throw std::system_error when the file cannot be written.
  void write_png(const std::string& path) const;

 private:
  std::size_t side_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace apps
