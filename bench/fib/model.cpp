// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "fib/problem.hpp"

namespace {

using namespace kasuri;

template <class Way>
long fib(long n) {
  if (n < 2) return n;
  const auto both =
      model::fork_join<Way>([n] { return fib<Way>(n - 1); }, [n] { return fib<Way>(n - 2); });
  return both.first + both.second;
}

}  // namespace

int main(int argc, char** argv) {
  using bench::fib::problem;
  return bench::run_model<problem>(argc, argv, []<class Way>(problem& p) { return fib<Way>(p.n); });
}
