// SPDX-License-Identifier: Apache-2.0
// Unbalanced tree search: a task for every child, or down to some depth only.

#include "uts/problem.hpp"

#include <array>
#include <cstddef>

#include "openmp/resized.hpp"
#include "openmp/runtime.hpp"

namespace {

using bench::uts::count;
using bench::uts::node;

/// Tasks for the children of nodes above `limit`.
count search(const node& n, int max_depth, int limit) {
  if (n.depth >= limit) return bench::uts::walk(n, max_depth);
  const int number = bench::uts::children(n, max_depth);
  count sum = bench::uts::itself(n, number);
  if (number == 0) return sum;
  std::array<count, bench::uts::max_children> found;
  for (int i = 0; i < number; ++i) {
#pragma omp task shared(n, found) firstprivate(i, max_depth, limit)
    found[static_cast<std::size_t>(i)] = search(bench::uts::child(n, i), max_depth, limit);
  }
#pragma omp taskwait
  for (int i = 0; i < number; ++i) sum = sum + found[static_cast<std::size_t>(i)];
  return sum;
}

struct problem : bench::uts::problem {
  static constexpr const char* name = "openmp-uts";

  explicit problem(const bench::arguments& args)
      : bench::uts::problem(bench::openmp::resized(args, args.variant == "cutoff" ? 9 : 8, 6)) {}
  problem rehearsal() const { return bench::openmp::rehearsed<bench::uts::problem>(*this); }
  count solve(int limit) const {
    return bench::openmp::in_single([&] { return search(bench::uts::root(), max_depth, limit); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::openmp::run<problem>(
      argc, argv,
      {{"no-cutoff", [](problem& p) { return p.solve(p.max_depth); }},
       {"cutoff", [](problem& p) { return p.solve(p.max_depth - 4); }}});
}
