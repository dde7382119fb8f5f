// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "common/every_worker.hpp"
#include "diffuse/problem.hpp"

namespace {

using namespace bench;
using diffuse::problem;

template <class Way>
diffuse::starts trial(const problem& p) {
  diffuse::starts seen(static_cast<std::size_t>(p.workers));
  const auto length = static_cast<std::uint64_t>(problem::leaf_ns / p.tick);
  const std::uint64_t root = ticks();
  tree_of_leaves<Way>(0, p.workers, [&](int leaf) {
    const std::uint64_t begun = ticks();
    seen[static_cast<std::size_t>(leaf)] = static_cast<double>(begun - root) * p.tick * 1e-3;
    while (ticks() - begun < length) {
    }
  });
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  return run_model<problem>(argc, argv, []<class Way>(problem& p) {
    problem::answer all;
    for (long i = 0; i < p.trials; ++i) all.push_back(trial<Way>(p));
    return all;
  });
}
