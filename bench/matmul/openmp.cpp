// SPDX-License-Identifier: Apache-2.0
#include "common/openmp.hpp"

#include "matmul/problem.hpp"

namespace {

constexpr auto both = [](const auto& f, const auto& g) {
#pragma omp task shared(g)
  g();
  f();
#pragma omp taskwait
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench;
  return run<openmp_system, matmul::problem>(argc, argv, matmul::variants("task", both));
}
