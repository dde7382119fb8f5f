// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include "input.hpp"

int main() {
  const std::vector<std::uint8_t> pixels = make_pixels();
  // Count:
  kasuri::combinable<bins> counts([] { return bins{}; });
  kasuri::parallel_for(kasuri::blocked_range<std::size_t>(0, pixels.size()),
                       [&](const kasuri::blocked_range<std::size_t>& part) {
                         bins& mine = counts.local();  // ours until a call of Kasuri
                         for (std::size_t i = part.begin(); i != part.end(); ++i)
                           ++mine[bin_of(pixels[i])];
                       });
  bins sum{};
  counts.combine_each([&](const bins& mine) {
    for (std::size_t b = 0; b != sum.size(); ++b) sum[b] += mine[b];
  });
  // end
  print(sum);
}
