// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include "fib/problem.hpp"

namespace {

long fib_invoke(long n) {
  if (n < 2) return n;
  auto [a, b] =
      kasuri::parallel_invoke([n] { return fib_invoke(n - 1); }, [n] { return fib_invoke(n - 2); });
  return a + b;
}

long fib_group(long n, kasuri::spawn policy) {
  if (n < 2) return n;
  long a;
  kasuri::task_group group;
  group.run([&a, n, policy] { a = fib_group(n - 1, policy); }, policy);
  const long b = fib_group(n - 2, policy);
  group.wait();
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run<bench::kasuri_system, problem>(
      argc, argv,
      {{"parallel_invoke", [](problem& p) { return fib_invoke(p.n); }},
       {"task_group", [](problem& p) { return fib_group(p.n, kasuri::spawn::parent_first); }},
       {"child_first", [](problem& p) { return fib_group(p.n, kasuri::spawn::child_first); }}});
}
