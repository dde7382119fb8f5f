// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "sort/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<chosen_system, sort::problem>(
      argc, argv,
      {sort::sorted_by("unstable", [](auto begin, auto end) { kasuri::parallel_sort(begin, end); }),
       sort::sorted_by("stable",
                       [](auto begin, auto end) { kasuri::parallel_stable_sort(begin, end); })});
}
