// SPDX-License-Identifier: Apache-2.0
// For hang_test.sh: hang NAME. A line on standard input lets those go on that can.
#include <kasuri/kasuri.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>

namespace {

kasuri::mutex first, second;
kasuri::barrier both_hold(2);
kasuri::semaphore released(0);
kasuri::latch never(1);
std::atomic<int> finished{0};

}  // namespace

// Not inlined and with something to do afterwards: they are to appear in dumps.
extern "C" {
[[gnu::noinline]] void locks_first_then_second() {
  const std::lock_guard one(first);
  both_hold.arrive_and_wait();
  const std::lock_guard two(second);
  ++finished;
}
[[gnu::noinline]] void locks_second_then_first() {
  const std::lock_guard one(second);
  both_hold.arrive_and_wait();
  const std::lock_guard two(first);
  ++finished;
}
[[gnu::noinline]] void waits_for_semaphore() {
  released.acquire();
  ++finished;
}
}

namespace {

/// Two tasks that lock two mutexes in different orders.
int crosswise() {
  kasuri::run([] {
    kasuri::task_group group;
    group.run([] { locks_first_then_second(); });
    group.run([] { locks_second_then_first(); });
    group.wait();
  });
  return 1;
}

/// What main does first with Kasuri: nobody has started the pool.
int before_the_pool() {
  static kasuri::mutex m;
  const std::lock_guard first(m);
  const std::lock_guard second(m);
  return 1;
}

/// The program's own thread waits, and all tasks have ended.
int outside() {
  kasuri::run([] {});
  never.wait();
  return 1;
}

int tasks_wait_for_a_line() {
  std::thread other([] {
    std::getchar();
    released.release(2);
  });
  kasuri::run([] {
    kasuri::task_group group;
    for (int i = 0; i != 2; ++i) group.run([] { waits_for_semaphore(); });
    std::puts("ready");
    std::fflush(stdout);
    group.wait();
  });
  other.join();
  return finished == 2 ? 0 : 1;
}

/// All tasks sleep for a while, or wait for one that does; then they go on, or wait for ever.
int tasks_sleep(bool for_ever) {
  kasuri::run([for_ever] {
    kasuri::latch slept(4);
    kasuri::task_group group;
    for (int i = 0; i != 4; ++i)
      group.run([&slept, i] {
        if (i == 0) {
          const bool came = never.wait_for(std::chrono::milliseconds(2500));
          if (came) std::abort();
        } else {
          kasuri::sleep_for(std::chrono::milliseconds(2500));
        }
        slept.count_down();
      });
    slept.wait();
    if (for_ever) waits_for_semaphore();
    group.wait();
  });
  return 0;
}

/// No task is left, and the program does something else.
int asleep() {
  kasuri::run([] {});
  std::puts("ready");
  std::fflush(stdout);
  std::getchar();
  return 0;
}

/// More tasks that read from a pipe than there are threads for, and one behind them. `call` calls
/// read.
template <class Call>
int tasks_read(Call call) {
  constexpr int readers = 8;
  int ends[2];
  if (pipe(ends) != 0) return 2;
  std::thread other([&] {
    std::getchar();
    for (int i = 0; i != readers; ++i)
      if (write(ends[1], "x", 1) != 1) std::abort();
  });
  kasuri::run([&] {
    kasuri::task_group group;
    group.run([] { ++finished; });  // the oldest: newer ones run first
    for (int i = 0; i != readers; ++i)
      group.run([&] {
        char c = 0;
        if (call([&] { return read(ends[0], &c, 1); }) == 1) ++finished;
      });
    std::puts("ready");
    std::fflush(stdout);
    group.wait();
  });
  other.join();
  return finished == readers + 1 ? 0 : 1;
}

/// Tasks that wait and go on, over and over, until a line comes.
int tasks_come_and_go() {
  std::atomic<bool> stop{false};
  std::thread other([&] {
    std::getchar();
    stop = true;
  });
  kasuri::run([&] {
    kasuri::task_group group;
    for (int i = 0; i != 8; ++i)
      group.run([&] {
        while (!stop) {
          const std::lock_guard hold(first);
          kasuri::this_task::yield();
        }
      });
    std::puts("ready");  // the signal is handled from the first use of Kasuri on
    std::fflush(stdout);
    group.wait();
  });
  other.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "crosswise") return crosswise();
  if (what == "outside") return outside();
  if (what == "before_the_pool") return before_the_pool();
  if (what == "tasks_wait_for_a_line") return tasks_wait_for_a_line();
  if (what == "tasks_come_and_go") return tasks_come_and_go();
  if (what == "asleep") return asleep();
  if (what == "tasks_sleep") return tasks_sleep(false);
  if (what == "tasks_sleep_and_hang") return tasks_sleep(true);
  if (what == "tasks_read") return tasks_read([](auto f) { return f(); });
  if (what == "tasks_read_blocking") return tasks_read([](auto f) { return kasuri::blocking(f); });
  return 3;
}
