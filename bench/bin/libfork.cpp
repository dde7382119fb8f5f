// SPDX-License-Identifier: Apache-2.0
#include "common/libfork.hpp"

#include "bin/problem.hpp"

namespace {

constexpr auto tree = [](auto tree, std::uint64_t cycles, int rounds, int n) -> lf::task<long> {
  bench::bin::consume(cycles);
  if (n == 0) co_return 1;
  long calls = 1;
  for (int round = 0; round < rounds; ++round) {
    long a;
    long b;
    co_await lf::fork(&b, tree)(cycles, rounds, n - 1);
    co_await lf::call(&a, tree)(cycles, rounds, n - 1);
    co_await lf::join;
    calls += a + b;
  }
  bench::bin::consume(cycles);
  co_return calls;
};

}  // namespace

int main(int argc, char** argv) {
  using bench::bin::problem;
  const auto solve = [](problem& p) {
    return lf::sync_wait(bench::libfork_system::pool(), tree, p.cycles, p.rounds, p.n);
  };
  return bench::run<bench::libfork_system, problem>(
      argc, argv, {{problem::fine, solve}, {problem::coarse, solve}});
}
