// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <cstdio>

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = kasuri::parallel_invoke([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

int main() {
  const long result = fib(32);
  std::printf("fib(32) = %ld on %d workers\n", result, kasuri::num_workers());
  return result == 2178309 ? 0 : 1;
}
