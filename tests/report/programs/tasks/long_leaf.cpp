// SPDX-License-Identifier: Apache-2.0
// A loop whose last iterations take a millisecond, and those before them nothing: the worker that
// has come to the long ones takes several at once, as it did of the others, and gives none of them
// away meanwhile. The worker with the first half asks for them a millisecond later. In the repaired
// twin the long ones are spread over the loop.
#include <kasuri/kasuri.hpp>

#include "../program.h"

namespace {

constexpr long iterations = 128;
constexpr long long_ones = 24;

std::uint64_t iteration(long i) {
  auto x = static_cast<std::uint64_t>(i);
  if (i < iterations / 2)
    SPIN_US(x, 16);
  else if (i >= iterations - long_ones)
    SPIN_US(x, 1000);  // planted: late_steal
  return x;
}

std::uint64_t loop(bool repaired) {
  return kasuri::parallel_reduce(
      0L, iterations, 1L, std::uint64_t{0},
      [repaired](long i) { return iteration(repaired ? i * 37 % iterations : i); }, std::plus<>());
}

}  // namespace

int main(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  std::uint64_t sum = 0;
  for (long turn = 0; turn != scaled(p, 80); ++turn) sum += loop(p.repaired);
  return print_checksum(sum);
}
