// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

bool tiles_are_right() {
  constexpr int height = 300;
  constexpr int width = 500;
  std::vector<int> image(height * width);
  // Tiles:
  const kasuri::blocked_range2d<int> pixels({0, height, 32}, {0, width, 64});
  kasuri::parallel_for(pixels, [&](const kasuri::blocked_range2d<int>& tile) {
    for (int y = tile.rows().begin(); y != tile.rows().end(); ++y)
      for (int x = tile.columns().begin(); x != tile.columns().end(); ++x)
        image[y * width + x] += y + x;
  });
  // end
  bool right = true;
  for (int y = 0; y != height; ++y)
    for (int x = 0; x != width; ++x) right = right && image[y * width + x] == y + x;
  // Cells:
  const long brightness = kasuri::parallel_reduce(
      pixels, 0L, [&](int y, int x) { return long{image[y * width + x]}; }, std::plus<>());
  // end
  return right && brightness == 1L * height * width * (height + width - 2) / 2;
}

bool blocks_are_right() {
  std::string text(100'000, ' ');
  for (std::size_t i = 0; i != text.size(); ++i) text[i] = static_cast<char>('a' + i * i % 26);
  // Blocks:
  using indices = kasuri::blocked_range<std::size_t>;
  using counts = std::array<long, 26>;
  const counts letters = kasuri::parallel_reduce(
      indices(0, text.size()), counts{},
      [&](const indices& part, counts so_far) {  // goes on from so_far
        for (std::size_t i = part.begin(); i != part.end(); ++i) ++so_far[text[i] - 'a'];
        return so_far;
      },
      [](counts a, const counts& b) {
        for (std::size_t l = 0; l != a.size(); ++l) a[l] += b[l];
        return a;
      });
  // end
  counts expected{};
  for (const char c : text) ++expected[c - 'a'];
  return letters == expected;
}

bool scan_is_right() {
  std::vector<long> lengths(10'000, 3);
  // Scan:
  std::vector<long> starts(lengths.size());
  const long length = kasuri::parallel_scan(lengths.begin(), lengths.end(), starts.begin(), 0L,
                                            std::plus<>(), kasuri::scan::exclusive);
  // end
  bool right = length == 30'000;
  for (std::size_t i = 0; i != starts.size(); ++i) right = right && starts[i] == 3 * (long)i;
  return right;
}

}  // namespace

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

  const bool others_right = tiles_are_right() && blocks_are_right() && scan_is_right();

  std::printf("sum of square roots: %.3f, largest: %.3f\n", sum, x.front());
  // The sum of sqrt(i), i < n, is near 2/3 n^1.5 - 1/2 n^0.5.
  const bool near = std::fabs(sum - (2.0 / 3.0 * 1e9 - 0.5 * 1e3)) < 1.0;
  return near && x.front() == std::sqrt(999'999.0) && x.back() == 0.0 && others_right ? 0 : 1;
}
