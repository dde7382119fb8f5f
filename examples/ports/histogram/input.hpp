// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

using bins = std::array<long, 16>;

/// A million grey values.
inline std::vector<std::uint8_t> make_pixels() {
  std::vector<std::uint8_t> pixels(1'000'000);
  std::uint32_t state = 1;
  for (std::uint8_t& p : pixels) {
    state = state * 1664525 + 1013904223;
    p = static_cast<std::uint8_t>((state >> 24) * (state >> 16 & 0xff) >> 8);
  }
  return pixels;
}

inline std::size_t bin_of(std::uint8_t pixel) { return pixel / 16; }

inline void print(const bins& counts) {
  for (const long c : counts) std::printf("%ld\n", c);
}
