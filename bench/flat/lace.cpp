// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "flat/problem.hpp"

using counter = std::atomic<long>*;

VOID_TASK_0(empty) { bench::empty_task(); }

VOID_TASK_1(counting, counter, ran) { ran->fetch_add(1, std::memory_order_relaxed); }

VOID_TASK_1(empty_loop, long, n) {
  for (long i = 0; i < n; ++i) SPAWN(empty);
  for (long i = 0; i < n; ++i) SYNC(empty);
}

VOID_TASK_2(counting_loop, long, n, counter, ran) {
  for (long i = 0; i < n; ++i) SPAWN(counting, ran);
  for (long i = 0; i < n; ++i) SYNC(counting);
}

namespace {

long solve(const bench::flat::problem& p) {
  if (!p.counted) {
    RUN(empty_loop, p.n);
    return 0;
  }
  std::atomic<long> ran = 0;
  RUN(counting_loop, p.n, &ran);
  return ran.load(std::memory_order_relaxed);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::chosen_system, bench::flat::problem>(argc, argv, {{"spawn", solve}});
}
