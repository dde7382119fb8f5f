// SPDX-License-Identifier: Apache-2.0
#include "common/openmp.hpp"

#include "flat/problem.hpp"

namespace {

constexpr auto loop = [](long n, auto body) {
  for (long i = 0; i < n; ++i) {
#pragma omp task firstprivate(body)
    body();
  }
#pragma omp taskwait
};

}  // namespace

int main(int argc, char** argv) {
  using bench::flat::problem;
  return bench::run<bench::openmp_system, problem>(
      argc, argv, {{"task", [](problem& p) { return p.solve(loop); }}});
}
