// SPDX-License-Identifier: Apache-2.0
#include <kasuri/algorithm.hpp>

#include <ranges>

#include "input.hpp"

int main() {
  // Filter:
  const auto numbers = std::views::iota(0L, limit);
  std::vector<long> primes(numbers.size());
  primes.erase(kasuri::copy_if(kasuri::par, numbers, primes.begin(), is_prime), primes.end());
  const long sum = kasuri::reduce(kasuri::par, primes, 0L);
  const auto upper = std::views::iota(limit / 2, limit);
  const auto found = kasuri::find_if(kasuri::par, upper, is_prime);
  // end
  print(primes, sum, found == upper.end() ? -1 : *found);
}
