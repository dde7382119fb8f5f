// SPDX-License-Identifier: Apache-2.0
#include "common/openmp.hpp"

#include <array>
#include <cstddef>

#include "uts/problem.hpp"

namespace {

using namespace bench::uts;

count search(const node& n, int max_depth) {
  const int number = children(n, max_depth);
  count sum = itself(n, number);
  if (number == 0) return sum;
  std::array<count, max_children> found;
  for (int i = 0; i < number; ++i) {
#pragma omp task shared(n, found) firstprivate(i, max_depth)
    found[static_cast<std::size_t>(i)] = search(child(n, i), max_depth);
  }
#pragma omp taskwait
  for (int i = 0; i < number; ++i) sum = sum + found[static_cast<std::size_t>(i)];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::openmp_system, problem>(
      argc, argv, {{"task", [](problem& p) { return search(root(), p.max_depth); }}});
}
