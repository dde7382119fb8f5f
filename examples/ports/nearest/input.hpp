// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <vector>

struct point {
  double x, y;
};

/// The point nearest to the origin that was seen so far; of equally near ones, the first.
struct nearest {
  std::size_t index = 0;
  double distance = std::numeric_limits<double>::infinity();

  void look_at(const std::vector<point>& points, std::size_t i) {
    const double d = std::hypot(points[i].x, points[i].y);
    if (d < distance) *this = {i, d};
  }
  void add(const nearest& other) {
    if (other.distance < distance || (other.distance == distance && other.index < index))
      *this = other;
  }
};

inline std::vector<point> make_points() {
  std::vector<point> points(300'000);
  for (std::size_t i = 0; i != points.size(); ++i) {
    const auto t = static_cast<double>(i % 150'000);  // each point comes twice
    points[i] = {std::sin(t) * (2.0 + std::cos(t * t)), std::cos(3.0 * t)};
  }
  return points;
}

inline void print(const nearest& n) { std::printf("%zu %.17g\n", n.index, n.distance); }
