// SPDX-License-Identifier: Apache-2.0
// Nothing is wrong: a tree of tasks that ends in leaves of some 10 us. Both twins are the same.
#include <kasuri/kasuri.hpp>

#include "../program.h"

namespace {

std::uint64_t serial_fib(int n) {
  return n < 2 ? static_cast<std::uint64_t>(n) : serial_fib(n - 1) + serial_fib(n - 2);
}

std::uint64_t fib(int n) {
  if (n < 18) return serial_fib(n);
  auto [a, b] = kasuri::parallel_invoke([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  std::uint64_t sum = 0;
  for (long turn = 0; turn != scaled(p, 120); ++turn) sum += fib(36);
  return print_checksum(sum);
}
