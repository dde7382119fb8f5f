// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <algorithm>

#include "input.hpp"

int main() {
  std::vector<double> now = make_rod();
  std::vector<double> next = now;
  int steps = 0;
  // Loop:
  double change;
  do {
    change = kasuri::parallel_reduce(
        1, cells - 1, 0.0,
        [&](int i) {
          next[i] = next_heat(now, i);
          return std::fabs(next[i] - now[i]);
        },
        [](double a, double b) { return std::max(a, b); });
    std::swap(now, next);
    ++steps;
  } while (change > small_change);
  // end
  print(now, steps);
}
