// SPDX-License-Identifier: Apache-2.0
// All solutions of the n queens problem: a task for every queen placed, or for the first rows only.

#include "queens/problem.hpp"

#include <array>
#include <cstddef>

#include "openmp/resized.hpp"
#include "openmp/runtime.hpp"

namespace {

using bench::queens::board;
using bench::queens::max_n;

/// Tasks for the rows above `limit`.
long search(const board& b, int limit) {
  if (b.rows >= limit) return bench::queens::solve(b);
  std::array<long, max_n> found{};
  for (int next = 0; next < b.n; ++next) {
    if (!b.safe(next)) continue;
#pragma omp task shared(b, found) firstprivate(next, limit)
    found[static_cast<std::size_t>(next)] = search(b.with(next), limit);
  }
#pragma omp taskwait
  long solutions = 0;
  for (const long one : found) solutions += one;
  return solutions;
}

struct problem : bench::queens::problem {
  static constexpr const char* name = "openmp-queens";

  explicit problem(const bench::arguments& args)
      : bench::queens::problem(bench::openmp::resized(args, args.variant == "cutoff" ? 13 : 11,
                                                      args.variant == "cutoff" ? 11 : 8)) {}
  problem rehearsal() const { return bench::openmp::rehearsed<bench::queens::problem>(*this); }
  long solve(int limit) const {
    return bench::openmp::in_single([&] { return search(empty(), limit); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::openmp::run<problem>(argc, argv,
                                     {{"no-cutoff", [](problem& p) { return p.solve(p.n); }},
                                      {"cutoff", [](problem& p) { return p.solve(4); }}});
}
