// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

/// Ends the process where the condition does not hold.
#define CHECK(condition) \
  ((condition)           \
       ? void()          \
       : (std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), std::_Exit(1)))

/// Until the condition holds, for a minute at most.
template <class Condition>
void await(Condition holds) {
  for (int i = 0; i != 60'000; ++i) {
    if (holds()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(holds());
}

/// Whether the program's oneTBB has its workers from Kasuri.
inline bool served() {
  const char* const preload = std::getenv("LD_PRELOAD");
  const char* const setting = std::getenv("KASURI_ONETBB");
  return preload != nullptr && std::strstr(preload, "libgomp") != nullptr &&
         (setting == nullptr || std::strcmp(setting, "off") != 0);
}

// algorithms.cpp
void parallel_for();
void task_group();
void sort_and_scan();
void pipeline();
void flow_graph();
void exceptions();
void cancel();
void resumable();
// arenas.cpp
void arenas();
void enqueue();
void indices();
void isolate();
void observers();
void thread_locals();
void limits();
// mixes.cpp
void openmp_in_tbb();
void tbb_in_openmp();
void parallel_stl();
void nested_everything();
void application_threads();
// process.cpp
void own_threads();
void workers_of_pool();
void finalize();
void fork_then_work();
void fork_beside_work();
void exit_during_work();
void static_destructor();
