// SPDX-License-Identifier: Apache-2.0
#include "common/openmp.hpp"

#include "bin/problem.hpp"

namespace {

constexpr auto fork_join = [](const auto& f, const auto& g) {
  long b;
#pragma omp task shared(g, b)
  b = g();
  const long a = f();
#pragma omp taskwait
  return a + b;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<openmp_system, bin::problem>(argc, argv, bin::variants(fork_join));
}
