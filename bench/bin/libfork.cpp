// SPDX-License-Identifier: Apache-2.0
#include "common/libfork.hpp"

#include "bin/problem.hpp"

namespace {

using bench::bin::units;

constexpr auto tree = [](auto tree, std::uint64_t cycles, int rounds, int n) -> lf::task<units> {
  bench::bin::consume(cycles);
  units used{1, 1};
  if (n == 0) co_return used;
  for (int round = 0; round < rounds; ++round) {
    units a;
    units b;
    co_await lf::fork(&b, tree)(cycles, rounds, n - 1);
    co_await lf::call(&a, tree)(cycles, rounds, n - 1);
    co_await lf::join;
    bench::bin::consume(cycles);
    used = then(then(used, beside(a, b)), {1, 1});
  }
  co_return used;
};

}  // namespace

int main(int argc, char** argv) {
  using bench::bin::problem;
  const auto solve = [](problem& p) {
    return lf::sync_wait(bench::libfork_system::pool(), tree, p.cycles, p.rounds, p.n);
  };
  return bench::run<bench::libfork_system, problem>(
      argc, argv, {{"fork", solve, problem::inputs[0]}, {"fork", solve, problem::inputs[1]}});
}
