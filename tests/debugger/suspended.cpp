// SPDX-License-Identifier: Apache-2.0
// For the debugger: three threads that wait, each in a function of its own, and a place to stop.
#include <kasuri/kasuri.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace {

kasuri::mutex held;
kasuri::semaphore empty(0);
kasuri::latch closed(1);
std::atomic<int> finished{0};

}  // namespace

// Not inlined and with something to do afterwards: they are to appear in backtraces.
extern "C" {
[[gnu::noinline]] void waits_for_mutex() {
  const std::lock_guard hold(held);
  ++finished;
}
[[gnu::noinline]] void waits_for_semaphore() {
  empty.acquire();
  ++finished;
}
[[gnu::noinline]] void waits_for_latch() {
  closed.wait();
  ++finished;
}
[[gnu::noinline]] void all_are_suspended() { asm volatile(""); }
}

int main(int argc, char** argv) {
  kasuri::initialize({.workers = 1});
  held.lock();
  kasuri::run([&] {
    kasuri::task_group group;
    // Runs when the others have blocked: one worker takes newer tasks first.
    group.run([&] {
      all_are_suspended();
      if (argc > 1 && std::strcmp(argv[1], "dump") == 0) kasuri::dump(1);
      held.unlock();
      empty.release();
      closed.count_down();
    });
    for (void (*wait)() : {waits_for_mutex, waits_for_semaphore, waits_for_latch})
      group.run([wait] { wait(); });
    group.wait();
  });
  std::printf("%d finished\n", finished.load());
  return finished == 3 ? 0 : 1;
}
