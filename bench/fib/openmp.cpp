// SPDX-License-Identifier: Apache-2.0
#include "common/openmp.hpp"

#include "fib/problem.hpp"

namespace {

long fib(long n) {
  if (n < 2) return n;
  long a;
#pragma omp task shared(a)
  a = fib(n - 1);
  const long b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run<bench::openmp_system, problem>(
      argc, argv, {{"task", [](problem& p) { return fib(p.n); }}});
}
