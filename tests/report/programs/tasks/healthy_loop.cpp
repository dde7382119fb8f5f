// SPDX-License-Identifier: Apache-2.0
// Nothing is wrong: independent iterations of equal length. Both twins are the same.
#include <kasuri/kasuri.hpp>

#include "../program.h"

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  const std::uint64_t sum = kasuri::parallel_reduce(
      0L, scaled(p, 20'000), std::uint64_t{0},
      [](long i) {
        auto x = static_cast<std::uint64_t>(i);
        SPIN_US(x, 100);
        return x;
      },
      std::plus<>());
  return print_checksum(sum);
}
