// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

int main() {
  std::vector<long> primes;
  for (long n = 0; n != limit; ++n)
    if (is_prime(n)) primes.push_back(n);
  long sum = 0;
  for (const long p : primes) sum += p;
  long first_big = -1;
  for (long n = limit / 2; n != limit && first_big < 0; ++n)
    if (is_prime(n)) first_big = n;
  print(primes, sum, first_big);
}
