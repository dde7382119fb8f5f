// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "fib/fork_join.hpp"
#include "fib/problem.hpp"

namespace {

/// What the common model cannot say: closures are told where their forks go.
long told(kasuri::fork_point here, long n) {
  if (n < 2) return n;
  const auto [a, b] = kasuri::parallel_invoke(
      here, [n](kasuri::fork_point first) { return told(first, n - 1); },
      [n](kasuri::fork_point second) { return told(second, n - 2); });
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  auto ways =
      every_way<fib::problem>([]<class Way>(fib::problem& p) { return fib::fork_join<Way>(p.n); });
  ways.push_back({"fork_point", [](fib::problem& p) { return told(kasuri::fork_point(), p.n); }});
  return run<chosen_system, fib::problem>(argc, argv, ways);
}
