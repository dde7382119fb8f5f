// SPDX-License-Identifier: Apache-2.0
#include "common/openmp.hpp"

#include <array>
#include <cstddef>

#include "queens/problem.hpp"

namespace {

using namespace bench::queens;

long search(const board& b) {
  if (b.complete()) return 1;
  std::array<long, max_n> found{};
  for (int next = 0; next < b.n; ++next) {
    if (!b.safe(next)) continue;
#pragma omp task shared(b, found) firstprivate(next)
    found[static_cast<std::size_t>(next)] = search(b.with(next));
  }
#pragma omp taskwait
  long solutions = 0;
  for (const long one : found) solutions += one;
  return solutions;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::openmp_system, problem>(
      argc, argv, {{"task", [](problem& p) { return search(p.empty()); }}});
}
