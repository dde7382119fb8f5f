// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include <atomic>

#include "blocked/problem.hpp"

namespace {

using bench::blocked::problem;

long block(problem& p) {
  kasuri::latch gate(1);
  std::atomic<long> arrived = 0;
  std::atomic<long> went_on = 0;
  kasuri::task_group group;
  for (long i = 0; i < p.tasks; ++i) {
    group.run([&] {
      arrived.fetch_add(1, std::memory_order_relaxed);
      gate.wait();
      went_on.fetch_add(1, std::memory_order_relaxed);
    });
  }
  group.run([&] {
    while (arrived.load(std::memory_order_relaxed) != p.tasks) kasuri::this_task::yield();
    gate.count_down();
  });
  group.wait();
  return went_on.load(std::memory_order_relaxed);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run<bench::chosen_system, problem>(argc, argv, {{"one", &block}, {"ten", &block}});
}
