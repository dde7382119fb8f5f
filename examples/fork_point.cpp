// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <cstdio>

// Fib:
long fib(kasuri::fork_point here, int n) {
  if (n < 2) return n;
  auto [a, b] = kasuri::parallel_invoke(
      here, [n](kasuri::fork_point first) { return fib(first, n - 1); },
      [n](kasuri::fork_point second) { return fib(second, n - 2); });
  return a + b;
}
// end

int main() {
  const long result = fib(kasuri::fork_point(), 32);
  std::printf("fib(32) = %ld on %d workers\n", result, kasuri::num_workers());
  return result == 2178309 ? 0 : 1;
}
