// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/parallel_sort.h>

#include "common/chosen_system.hpp"

#include "sort/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<chosen_system, sort::problem>(
      argc, argv,
      {sort::sorted_by("unstable", [](auto begin, auto end) { tbb::parallel_sort(begin, end); })});
}
