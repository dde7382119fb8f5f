// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "input.hpp"

int main() {
  std::vector<int> image(width * height);
  long inside = 0;
  int longest = 0;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const int steps = steps_of(row, column);
      image[row * width + column] = steps;
      if (steps == most_steps)
        ++inside;
      else
        longest = std::max(longest, steps);
    }
  print(image, inside, longest);
}
