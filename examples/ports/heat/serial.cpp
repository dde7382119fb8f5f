// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "input.hpp"

int main() {
  std::vector<double> now = make_rod();
  std::vector<double> next = now;
  int steps = 0;
  double change;
  do {
    change = 0;
    for (int i = 1; i != cells - 1; ++i) {
      next[i] = next_heat(now, i);
      change = std::max(change, std::fabs(next[i] - now[i]));
    }
    std::swap(now, next);
    ++steps;
  } while (change > small_change);
  print(now, steps);
}
