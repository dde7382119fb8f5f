// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "common/every_worker.hpp"
#include "create-scale/problem.hpp"

namespace {

using namespace bench;
using create_scale::outcome;
using create_scale::problem;

template <class Way, class Task>
void create(long turns, const Task& task) {
  if constexpr (kasuri::model::pairing<Way>) {
    for (long i = 0; i < turns; ++i) kasuri::model::fork_join<Way>([] {}, task);
  } else {
    kasuri::model::children<Way> tasks;
    for (long i = 0; i < turns; ++i) {
      tasks.spawn(task);
      tasks.wait();
    }
  }
}

template <class Way, class Task>
outcome on_all(const problem& p, const Task& task) {
  outcome found;
  found.seen.resize(static_cast<std::size_t>(p.workers));
  spinning_barrier together(p.workers);
  tree_of_leaves<Way>(0, p.workers, [&](int leaf) {
    together.arrive_and_wait();
    found.seen[static_cast<std::size_t>(leaf)] =
        measure_turn(p.how, [&task](long turns) { create<Way>(turns, task); });
  });
  return found;
}

template <class Way>
outcome solve(const problem& p) {
  if (!p.counted) return on_all<Way>(p, [] { empty_task(); });
  std::atomic<long> ran = 0;
  outcome found = on_all<Way>(p, [&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
  found.ran = ran.load(std::memory_order_relaxed);  // the tree has waited for its tasks
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  return run_model<problem>(argc, argv, []<class Way>(problem& p) { return solve<Way>(p); });
}
