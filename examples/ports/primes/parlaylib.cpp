// SPDX-License-Identifier: Apache-2.0
#include <parlay/primitives.h>

#include "input.hpp"

int main() {
  // Filter:
  const auto numbers = parlay::tabulate(limit, [](std::size_t i) { return static_cast<long>(i); });
  const auto primes = parlay::filter(numbers, is_prime);
  const long sum = parlay::reduce(primes);
  const auto upper = numbers.cut(limit / 2, limit);
  const auto found = parlay::find_if(upper, is_prime);
  // end
  print(primes, sum, found == upper.end() ? -1 : *found);
}
