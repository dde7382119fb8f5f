// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <vector>

int main() {
  std::vector<double> x(1'000'000);

  // Loop:
  kasuri::parallel_for(std::size_t{0}, x.size(),
                       [&](std::size_t i) { x[i] = std::sqrt(static_cast<double>(i)); });
  // end

  // Sum:
  const double sum = kasuri::parallel_reduce(
      std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i]; }, std::plus<>());
  // end

  // Sort:
  kasuri::parallel_sort(x.begin(), x.end(), std::greater<>());
  // end

  std::printf("sum of square roots: %.3f, largest: %.3f\n", sum, x.front());
  // The sum of sqrt(i), i < n, is near 2/3 n^1.5 - 1/2 n^0.5.
  const bool near = std::fabs(sum - (2.0 / 3.0 * 1e9 - 0.5 * 1e3)) < 1.0;
  return near && x.front() == std::sqrt(999'999.0) && x.back() == 0.0 ? 0 : 1;
}
