// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int tables = 8;
constexpr int table_size = 5000;
constexpr int queries = 2000;

/// One entry of table `id`: some work.
inline std::uint32_t entry(int id, int i) {
  auto x = static_cast<std::uint32_t>(id * table_size + i + 1);
  for (int round = 0; round != 50; ++round) x = (x ^ x << 13) * 2654435761U >> 3;
  return x % 1000;
}

/// Query q asks this table for this entry.
inline int table_of(int q) { return q * 7 % tables; }
inline int index_of(int q) { return q * 37 % table_size; }

inline void print(const std::vector<std::uint32_t>& answers) {
  for (const std::uint32_t a : answers) std::printf("%u\n", a);
}
