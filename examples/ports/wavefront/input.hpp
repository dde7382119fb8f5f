// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

constexpr int blocks = 16;
constexpr int block_size = 60;
constexpr int length = blocks * block_size;

inline std::string make_text(std::uint32_t state) {
  std::string text;
  for (int i = 0; i != length; ++i) {
    state = state * 1664525 + 1013904223;
    text += static_cast<char>('a' + (state >> 24) % 4);
  }
  return text;
}

/// How many letters have to be changed, inserted or removed to make one text of the other: by a
/// table in which each entry needs the ones above, to the left, and between these two.
class edit_table {
 public:
  edit_table() {
    for (int i = 0; i <= length; ++i) at(i, 0) = at(0, i) = i;
  }

  /// Fills block (i, j), which needs the blocks above and to the left.
  void fill(int i, int j) {
    for (int y = i * block_size + 1; y <= (i + 1) * block_size; ++y)
      for (int x = j * block_size + 1; x <= (j + 1) * block_size; ++x)
        at(y, x) = std::min({at(y - 1, x) + 1, at(y, x - 1) + 1,
                             at(y - 1, x - 1) + (a_[y - 1] != b_[x - 1] ? 1 : 0)});
  }

  void print() {
    for (int i = 0; i <= length; i += block_size)
      std::printf("%d %d\n", at(i, length), at(length, i));
  }

 private:
  int& at(int y, int x) { return entries_[static_cast<std::size_t>(y * (length + 1) + x)]; }

  const std::string a_ = make_text(1);
  const std::string b_ = make_text(2);
  std::vector<int> entries_ = std::vector<int>((length + 1) * (length + 1), -1);
};
