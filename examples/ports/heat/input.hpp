// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int cells = 10'000;
constexpr double small_change = 0.5;

/// A rod of which one end is hot.
inline std::vector<double> make_rod() {
  std::vector<double> rod(cells);
  rod[0] = 1000;
  return rod;
}

inline double next_heat(const std::vector<double>& now, int i) {
  return (now[i - 1] + now[i + 1]) / 2;
}

inline void print(const std::vector<double>& rod, int steps) {
  std::printf("%d steps\n", steps);
  for (int i = 0; i != 100; ++i) std::printf("%.17g\n", rod[i]);
}
