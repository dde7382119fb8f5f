// SPDX-License-Identifier: Apache-2.0
// For valgrind: stacks that are left and come back, child first and by waiting, and exceptions.
#include <kasuri/kasuri.hpp>

#include <cstdio>
#include <mutex>

int main() {
  kasuri::initialize({.workers = 2});
  kasuri::mutex mutex;
  kasuri::task_group group;
  int turns = 0;
  for (int i = 0; i != 50; ++i)
    group.run(
        [&] {
          for (int k = 0; k != 5; ++k) {
            const std::lock_guard hold(mutex);
            kasuri::this_task::yield();
            ++turns;
          }
        },
        i % 2 == 0 ? kasuri::spawn::child_first : kasuri::spawn::parent_first);
  group.wait();
  int caught = 0;
  try {
    kasuri::parallel_for(0, 100, [](int i) {
      if (i == 50) throw i;
    });
  } catch (int i) {
    caught = i;
  }
  std::printf("%d turns, caught %d\n", turns, caught);
  return turns == 250 && caught == 50 ? 0 : 1;
}
