// SPDX-License-Identifier: Apache-2.0
// A program that uses oneTBB: `onetbb_program CASE`. Each case compares what parallel code has
// computed with what serial code says, and ends with status 0.
#include "cases.hpp"

namespace {

struct named {
  const char* name;
  void (*run)();
};

constexpr named cases[] = {
    {"parallel_for", parallel_for},
    {"task_group", task_group},
    {"sort_and_scan", sort_and_scan},
    {"pipeline", pipeline},
    {"flow_graph", flow_graph},
    {"exceptions", exceptions},
    {"cancel", cancel},
    {"resumable", resumable},
    {"arenas", arenas},
    {"enqueue", enqueue},
    {"indices", indices},
    {"isolate", isolate},
    {"observers", observers},
    {"thread_locals", thread_locals},
    {"limits", limits},
    {"openmp_in_tbb", openmp_in_tbb},
    {"tbb_in_openmp", tbb_in_openmp},
    {"parallel_stl", parallel_stl},
    {"nested_everything", nested_everything},
    {"application_threads", application_threads},
    {"own_threads", own_threads},
    {"workers_of_pool", workers_of_pool},
    {"finalize", finalize},
    {"fork", fork_then_work},
    {"fork_beside_work", fork_beside_work},
    {"exit_during_work", exit_during_work},
    {"static_destructor", static_destructor},
};

}  // namespace

int main(int count, char** words) {
  for (const named& each : cases) {
    if (count != 2 || std::strcmp(words[1], each.name) != 0) continue;
    each.run();
    std::puts("ok");
    return 0;
  }
  std::fprintf(stderr, "usage: onetbb_program CASE; cases:");
  for (const named& each : cases) std::fprintf(stderr, " %s", each.name);
  std::fprintf(stderr, "\n");
  return 2;
}
