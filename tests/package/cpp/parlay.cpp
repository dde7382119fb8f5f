// SPDX-License-Identifier: Apache-2.0
#include <kasuri/adapters/parlay.hpp>

#include <parlay/primitives.h>

int main() {
  const auto numbers = parlay::tabulate(1000, [](std::size_t i) { return i; });
  return parlay::reduce(numbers) == 499'500 ? 0 : 1;
}
