// SPDX-License-Identifier: Apache-2.0
// std::thread, std::mutex, std::condition_variable and std::atomic next to OpenMP.
// test: nested=no
#include "support/check.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

int sum_of_region(int length) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 2)
  for (int i = 0; i < length; i++) {
    sum += i;
  }
  return sum;
}

void regions_in_threads() {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++) {
    threads.emplace_back([&right] {
      for (int round = 0; round < 10; round++) {
        right.fetch_add(sum_of_region(50) == 1225 ? 1 : 0, std::memory_order_relaxed);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  CHECK_EQ(right.load(std::memory_order_relaxed), 60);
}

void threads_in_regions() {
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    int mine = 0;
    std::thread helper([&mine] { mine = sum_of_region(20); });
    helper.join();
    sum += mine;
  }
  CHECK_EQ(sum, 3 * 190);
}

void mutexes_in_regions() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
#pragma omp parallel num_threads(5)
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&turn] { return turn % 5 == omp_get_thread_num(); });
    turn++;
    changed.notify_all();
  }
  CHECK_EQ(turn, 5);
}

}  // namespace

static void test() {
  regions_in_threads();
  threads_in_regions();
  mutexes_in_regions();
}
