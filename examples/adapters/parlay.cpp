// SPDX-License-Identifier: Apache-2.0
// Parlay:
#include <kasuri/adapters/parlay.hpp>

#include <parlay/primitives.h>
#include <parlay/sequence.h>

/// The primes below n.
parlay::sequence<long> primes(long n) {
  const auto is_prime = [](long k) {
    for (long d = 2; d * d <= k; ++d)
      if (k % d == 0) return false;
    return k > 1;
  };
  return parlay::filter(parlay::iota<long>(n), is_prime);
}

int main() {
  return kasuri::run([] { return primes(100'000).size() == 9592 ? 0 : 1; });
}
// end
