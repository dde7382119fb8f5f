// SPDX-License-Identifier: Apache-2.0
// Jacobi's method in fork-join: loops over the blocks, a task group with a task a block, and
// parallel_invoke over halves of the rows of blocks.

#include "apps/common/kasuri_system.hpp"
#include "apps/jacobi/problem.hpp"

namespace {

using jacobi::problem;
using phase = void (problem::*)(int, int);

void loop(problem& p, phase work) {
  const int n = p.blocks();
  kasuri::parallel_for(0, n * n, [&](int at) { (p.*work)(at / n, at % n); });
}

void group(problem& p, phase work) {
  kasuri::task_group all;
  p.for_each([&](int i, int j) { all.run([&p, work, i, j] { (p.*work)(i, j); }); });
  all.wait();
}

/// Blocks begin to end - 1, counted row by row.
void halves(problem& p, phase work, int begin, int end) {
  if (end - begin == 1) return (p.*work)(begin / p.blocks(), begin % p.blocks());
  const int middle = begin + (end - begin) / 2;
  kasuri::parallel_invoke([&p, work, begin, middle] { halves(p, work, begin, middle); },
                          [&p, work, middle, end] { halves(p, work, middle, end); });
}

void invoke(problem& p, phase work) { halves(p, work, 0, p.blocks() * p.blocks()); }

apps::way<problem> way(const char* name, void (*all_blocks)(problem&, phase)) {
  return {name, [all_blocks](problem& p) {
            for (int t = 0; t < p.iterations(); ++t) {
              all_blocks(p, &problem::copy);
              all_blocks(p, &problem::estimate);
            }
          }};
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run<problem>(argc, argv, apps::kasuri_system(),
                            {way("loop", loop), way("group", group), way("invoke", invoke)});
}
