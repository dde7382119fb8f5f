// SPDX-License-Identifier: Apache-2.0
// Inputs on which an algorithm is compared with the one of the standard library.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace kasuri::test {

/// Sizes around the borders at which algorithms change what they do: nothing, one element, a block
/// of 2048 and two, the longest serial n-th element.
inline const std::vector<std::size_t>& sizes() {
  static const std::vector<std::size_t> all{0,     1,     2,     3,     17,     255,  256,
                                            257,   2047,  2048,  2049,  4095,   4096, 4097,
                                            10000, 32768, 32769, 65537, 300'000};
  return all;
}

/// `n` values from [0, different).
inline std::vector<int> random_values(std::size_t n, int different, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> value(0, different - 1);
  std::vector<int> v(n);
  for (int& x : v) x = value(random);
  return v;
}

/// Calls check(values) for each size with few and with many different values.
template <class Check>
void for_inputs(Check&& check) {
  unsigned seed = 1;
  for (const std::size_t n : sizes())
    for (const int different : {2, 100, 1'000'000}) check(random_values(n, different, seed++));
}

}  // namespace kasuri::test
