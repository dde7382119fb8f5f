// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "input.hpp"

int main() {
  std::vector<int> image(width * height);
  // Loop:
  long inside = 0;
  int longest = 0;
#pragma omp parallel for collapse(2) schedule(dynamic, 64) reduction(+ : inside) \
    reduction(max : longest)
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const int steps = steps_of(row, column);
      image[row * width + column] = steps;
      if (steps == most_steps)
        ++inside;
      else
        longest = std::max(longest, steps);
    }
  // end
  print(image, inside, longest);
}
