// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <algorithm>

#include "input.hpp"

int main() {
  std::vector<int> image(width * height);
  // Loop:
  struct totals {
    long inside = 0;
    int longest = 0;
  };
  const totals all = kasuri::parallel_reduce(
      0, height * width, totals{},
      [&](int pixel) {
        const int steps = steps_of(pixel / width, pixel % width);
        image[pixel] = steps;
        return steps == most_steps ? totals{1, 0} : totals{0, steps};
      },
      [](totals a, totals b) {
        return totals{a.inside + b.inside, std::max(a.longest, b.longest)};
      });
  // end
  print(image, all.inside, all.longest);
}
