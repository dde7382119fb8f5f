// SPDX-License-Identifier: Apache-2.0
#include "common/taskflow.hpp"

#include "fib/problem.hpp"

namespace {

long fib(long n) {
  if (n < 2) return n;
  long a;
  tf::TaskGroup group = bench::taskflow_system::executor().task_group();
  group.silent_async([&a, n] { a = fib(n - 1); });
  const long b = fib(n - 2);
  group.corun();
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run<bench::taskflow_system, problem>(
      argc, argv, {{"task_group", [](problem& p) { return fib(p.n); }}});
}
