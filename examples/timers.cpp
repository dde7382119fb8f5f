// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <shared_mutex>

using namespace std::chrono_literals;

// Asks a server that answers late, as long as the time allows.
bool ask_in_time() {
  // In time:
  kasuri::semaphore answers(0);
  kasuri::task_group server;
  server.run([&] {
    kasuri::sleep_for(2ms);  // the task sleeps, its worker does not
    answers.release();
  });
  int tries = 1;
  while (!answers.try_acquire_for(500us)) ++tries;
  std::printf("answered at try %d\n", tries);
  server.wait();
  // end
  return tries > 0;
}

bool report_progress() {
  // Progress:
  std::atomic<int> done{0};
  std::atomic<int> lines{0};
  {
    const kasuri::timer progress = kasuri::run_every(1ms, [&] {
      std::printf("%d of 200\n", done.load());
      ++lines;
    });
    kasuri::task_group work;
    for (int i = 0; i != 200; ++i)
      work.run([&] {
        kasuri::sleep_for(100us);
        ++done;
      });
    work.wait();
  }  // behind the end of the timer's life its function does not run any more
  // end
  return done == 200 && lines >= 0;
}

bool give_up() {
  // Give up:
  std::atomic<bool> late{false};
  const kasuri::timer alarm = kasuri::run_after(2ms, [&] { late = true; });
  long rounds = 0;
  while (!late) {
    ++rounds;
    kasuri::this_task::yield();
  }
  // end
  return rounds > 0;
}

bool read_together() {
  // Share:
  kasuri::shared_mutex of_table;
  long table = 0;
  std::atomic<int> wrong{0};
  kasuri::task_group readers_and_writers;
  for (int i = 0; i != 100; ++i)
    readers_and_writers.run([&, i] {
      if (i % 10 == 0) {
        const std::lock_guard hold(of_table);
        ++table;
      } else {
        const std::shared_lock hold(of_table);  // together with other readers
        wrong += table > 10 ? 1 : 0;
      }
    });
  readers_and_writers.wait();
  // end
  return table == 10 && wrong == 0;
}

int main() {
  return kasuri::run(
      [] { return ask_in_time() && report_progress() && give_up() && read_together() ? 0 : 1; });
}
