// SPDX-License-Identifier: Apache-2.0
// Lace's macros with a task type of their own, beside what the model makes of closures.
#include "create/model.hpp"

using counter = std::atomic<long>*;

VOID_TASK_0(empty) { bench::empty_task(); }

VOID_TASK_1(counting, counter, ran) { ran->fetch_add(1, std::memory_order_relaxed); }

VOID_TASK_1(empty_loop, long, n) {
  for (long i = 0; i < n; ++i) {
    SPAWN(empty);
    SYNC(empty);
  }
}

VOID_TASK_2(counting_loop, long, n, counter, ran) {
  for (long i = 0; i < n; ++i) {
    SPAWN(counting, ran);
    SYNC(counting);
  }
}

namespace {

long loops(long n, bool counted) {
  std::atomic<long> ran = 0;
  if (counted) {
    RUN(counting_loop, n, &ran);
  } else {
    RUN(empty_loop, n);
  }
  return ran.load(std::memory_order_relaxed);
}

}  // namespace

int main(int argc, char** argv) {
  using bench::create::problem;
  auto all = bench::create::model_variants();
  all.push_back({"spawn_raw", [](problem& p) {
                   return p.measured([&p](long n) { return loops(n, p.counted); });
                 }});
  return bench::run<bench::chosen_system, problem>(argc, argv, all);
}
