// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int width = 320;
constexpr int height = 240;
constexpr int most_steps = 500;

/// Steps until the point leaves the circle.
inline int steps_of(int row, int column) {
  const double re = -2.0 + 3.0 * column / width;
  const double im = -1.0 + 2.0 * row / height;
  double x = 0;
  double y = 0;
  int steps = 0;
  for (; steps != most_steps && x * x + y * y <= 4; ++steps) {
    const double next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
  }
  return steps;
}

inline void print(const std::vector<int>& image, long inside, int longest) {
  std::printf("%ld inside, longest way out %d\n", inside, longest);
  for (std::size_t i = 0; i < image.size(); i += 97) std::printf("%d\n", image[i]);
}
