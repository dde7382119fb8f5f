// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "fib/problem.hpp"

TASK_1(long, fib, long, n) {
  if (n < 2) return n;
  SPAWN(fib, n - 1);
  const long b = CALL(fib, n - 2);
  const long a = SYNC(fib);
  return a + b;
}

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run<bench::chosen_system, problem>(
      argc, argv, {{"spawn", [](problem& p) { return RUN(fib, p.n); }}});
}
