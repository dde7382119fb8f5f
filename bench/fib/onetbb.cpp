// SPDX-License-Identifier: Apache-2.0
#include "common/onetbb.hpp"

#include "fib/problem.hpp"

namespace {

long fib_invoke(long n) {
  if (n < 2) return n;
  long a;
  long b;
  tbb::parallel_invoke([&a, n] { a = fib_invoke(n - 1); }, [&b, n] { b = fib_invoke(n - 2); });
  return a + b;
}

long fib_group(long n) {
  if (n < 2) return n;
  long a;
  tbb::task_group group;
  group.run([&a, n] { a = fib_group(n - 1); });
  const long b = fib_group(n - 2);
  group.wait();
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run<bench::onetbb_system, problem>(
      argc, argv,
      {{"parallel_invoke", [](problem& p) { return fib_invoke(p.n); }},
       {"task_group", [](problem& p) { return fib_group(p.n); }}});
}
