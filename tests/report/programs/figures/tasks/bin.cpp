// SPDX-License-Identifier: Apache-2.0
// The tree of bench/bin: consume a unit; twice { bin(n-1) beside bin(n-1), consume a unit }.
#include <kasuri/kasuri.hpp>

#include "../count.h"

namespace {

figures bin(std::uint64_t unit, int n) {
  figures used = consume(unit);
  if (n == 0) return used;
  for (int round = 0; round != 2; ++round) {
    const auto half = [=] { return bin(unit, n - 1); };
    const auto [a, b] = kasuri::parallel_invoke(half, half);
    used = then(then(used, beside(a, b)), consume(unit));
  }
  return used;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int depth = 4;
  const long n = read_repetitions(argc, argv);
  const rate clock = begin_rate();
  const std::uint64_t unit = ticks_of_ns(clock, 5000);
  figures all{};
  for (long i = 0; i != n; ++i) all = then(all, kasuri::run([=] { return bin(unit, depth); }));
  return print_figures(seconds_of(clock, all.work), seconds_of(clock, all.span));
}
