// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

int main() {
  const std::vector<std::uint8_t> pixels = make_pixels();
  bins sum{};
  for (const std::uint8_t p : pixels) ++sum[bin_of(p)];
  print(sum);
}
