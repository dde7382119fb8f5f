// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "bin/problem.hpp"

namespace {

using namespace bench::bin;

template <class Way>
units tree(std::uint64_t cycles, int rounds, int n) {
  consume(cycles);
  units used{1, 1};
  if (n == 0) return used;
  for (int round = 0; round < rounds; ++round) {
    const auto half = [=] { return tree<Way>(cycles, rounds, n - 1); };
    const auto both = kasuri::model::fork_join<Way>(half, half);
    consume(cycles);
    used = then(then(used, beside(both.first, both.second)), {1, 1});
  }
  return used;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_model<problem>(
      argc, argv, []<class Way>(problem& p) { return tree<Way>(p.cycles, p.rounds, p.n); });
}
