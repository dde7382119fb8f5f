// SPDX-License-Identifier: Apache-2.0
// What /proc tells of the threads of the process. A test waits until it is told so: to end is to
// pass.
#include "platform/cpu/affinity.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "platform/thread/os_thread.hpp"

namespace kasuri::platform {
namespace {

/// Waits until the thread does `what`.
void wait_until(int thread, doing what) {
  while (what_thread_does(thread) != what) ::usleep(1000);
}

TEST(WhatAThreadDoes, RunsWhereItComputes) {
  std::atomic<int> id{0};
  std::atomic<bool> over{false};
  std::thread computes([&] {
    id = thread_id();
    while (!over) {
    }
  });
  while (id == 0) std::this_thread::yield();
  wait_until(id, doing::runs);
  over = true;
  computes.join();
}

TEST(WhatAThreadDoes, IsToldOfOneThatWaitsForAMutex) {
  if (*KASURI_TEST_EMULATOR != '\0') GTEST_SKIP() << "/proc has the calls of the emulator";
  if (::access("/proc/self/syscall", R_OK) != 0)
    GTEST_SKIP() << "this system does not say in which call a thread sleeps";
  std::mutex mutex;
  std::atomic<int> id{0};
  mutex.lock();
  std::thread waits([&] {
    id = thread_id();
    const std::lock_guard hold(mutex);
  });
  while (id == 0) std::this_thread::yield();
  wait_until(id, doing::sleeps_for_mutex);
  // It sleeps on, and so once; or it was stopped from outside between the two looks.
  std::uint64_t times = times_slept(id);
  EXPECT_GT(times, 0u);
  for (std::uint64_t before = 0; times != before;) {
    before = times;
    wait_until(id, doing::sleeps_for_mutex);
    times = times_slept(id);
  }
  mutex.unlock();
  waits.join();
}

TEST(WhatAThreadDoes, SleepsInAConditionAndInACall) {
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::atomic<int> id{0};
  std::thread waits([&] {
    id = thread_id();
    std::unique_lock hold(mutex);
    changed.wait(hold, [&] { return over; });
  });
  while (id == 0) std::this_thread::yield();
  wait_until(id, doing::sleeps);
  {
    const std::lock_guard hold(mutex);
    over = true;
  }
  changed.notify_one();
  waits.join();

  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  id = 0;
  std::thread reads([&] {
    id = thread_id();
    char c = 0;
    EXPECT_EQ(::read(ends[0], &c, 1), 1);
  });
  while (id == 0) std::this_thread::yield();
  wait_until(id, doing::sleeps);
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  reads.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(WhatAThreadDoes, OfAThreadThatIsGoneNothingIsTold) {
  int id = 0;
  std::thread([&] { id = thread_id(); }).join();
  // The kernel may know it for a moment still.
  while (what_thread_does(id) != doing::runs || times_slept(id) != 0) ::usleep(1000);
}

}  // namespace
}  // namespace kasuri::platform
