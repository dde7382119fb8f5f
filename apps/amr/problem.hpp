// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

/// Advection of a disc through a periodic square of side 1. The figures are those of table 2 of
/// Nakashima, Kono, Taura: "Accelerating Adaptive Mesh Refinement by Customizing Work Stealing
/// Strategy", IPSJ SIG Technical Report, 2013; size and place of the disc are ours.
namespace amr {

struct problem {
  int least_level = 5;
  int most_level = 12;
  int cut_off = 2048;  ///< nodes: smaller subtrees are visited serially

  static constexpr double velocity = 0.1;  ///< in both directions
  static constexpr double cfl = 0.4;       ///< of the finest cells
  static constexpr double refine_above = 0.1;
  static constexpr double merge_below = 0.05;
  static constexpr double disc_radius = 0.2;
  static constexpr double disc_centre = 0.5;

  /// Length of a time step.
  double dt() const noexcept { return cfl * std::ldexp(1.0, -most_level) / velocity; }

  /// The share of a cell's content that leaves it eastwards, and northwards, in a step.
  double courant(int level) const noexcept { return velocity * dt() * std::ldexp(1.0, level); }

  /// The exact solution at a time: 1 in the disc, 0 elsewhere.
  static double exact(double x, double y, double time) noexcept {
    const double dx = from_centre(x - velocity * time);
    const double dy = from_centre(y - velocity * time);
    return dx * dx + dy * dy <= disc_radius * disc_radius ? 1.0 : 0.0;
  }

 private:
  static double from_centre(double x) noexcept {
    const double d = x - disc_centre;
    return d - std::nearbyint(d);
  }
};

/// Where a node lies: column and row among the squares of its level.
struct place {
  std::uint32_t column = 0;
  std::uint32_t row = 0;
  int level = 0;

  place child(int i) const noexcept {
    const auto index = static_cast<std::uint32_t>(i);
    return {2 * column + (index & 1), 2 * row + (index >> 1), level + 1};
  }
  double side() const noexcept { return std::ldexp(1.0, -level); }
  double centre_x() const noexcept { return (column + 0.5) * side(); }
  double centre_y() const noexcept { return (row + 0.5) * side(); }
};

}  // namespace amr
