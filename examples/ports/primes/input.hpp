// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <vector>

constexpr long limit = 100'000;

inline bool is_prime(long n) {
  for (long d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n >= 2;
}

template <class Primes>
void print(const Primes& primes, long sum, long first_big) {
  std::printf("%zu primes, sum %ld, first above half of the limit %ld\n", primes.size(), sum,
              first_big);
}
