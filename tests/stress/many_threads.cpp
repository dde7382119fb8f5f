// SPDX-License-Identifier: Apache-2.0
// Numbers that break runtimes: 100,000 threads suspended at once, 10^6 created before the first is
// joined, 64 workers on few processors.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <kasuri/kasuri.h>
#include <kasuri/kasuri.hpp>
#include <vector>

#include "support/scale.hpp"

namespace kasuri::test {
namespace {

// ThreadSanitizer knows no more than some thousand threads, and makes few in a second.
constexpr int thousands(int full) { return full_size ? full : 1000; }

long resident_bytes() {
  long total = 0;
  long resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

class many_threads : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { initialize({.workers = GetParam(), .stack_size = 32 * 1024}); }
  void TearDown() override { finalize(); }
};

struct gate {
  semaphore open{0};
  std::atomic<int> before{0};
  std::atomic<int> after{0};

  static void* pass(void* self) {
    auto& g = *static_cast<gate*>(self);
    ++g.before;
    g.open.acquire();
    ++g.after;
    return self;
  }
};

TEST_P(many_threads, suspended_at_once_and_resumed) {
  const int count = thousands(100'000);
  gate g;
  std::vector<kasuri_thread_t> threads(static_cast<std::size_t>(count));
  run([&] {
    for (kasuri_thread_t& t : threads)
      ASSERT_EQ(kasuri_thread_create(&t, gate::pass, &g, KASURI_CHILD_FIRST), KASURI_SUCCESS);
    while (g.before != count) this_task::yield();
    EXPECT_EQ(g.after, 0);
    g.open.release(static_cast<std::size_t>(count));
    for (const kasuri_thread_t t : threads) {
      void* result = nullptr;
      ASSERT_EQ(kasuri_thread_join(t, &result), KASURI_SUCCESS);
      ASSERT_EQ(result, &g);
    }
  });
  EXPECT_EQ(g.after, count);
}

TEST_P(many_threads, tasks_of_a_group_suspended_at_once) {
  const int count = thousands(100'000);
  semaphore open(0);
  std::atomic<int> before{0};
  run([&] {
    task_group g;
    for (int i = 0; i != count; ++i)
      g.run([&] {
        ++before;
        open.acquire();
      });
    g.run([&] {
      while (before != count) this_task::yield();
      open.release(static_cast<std::size_t>(count));
    });
    g.wait();
  });
  EXPECT_EQ(before, count);
}

TEST_P(many_threads, created_before_the_first_is_joined) {
  const int count = scaled(1'000'000);
  std::vector<kasuri_thread_t> threads(static_cast<std::size_t>(count));
  run([&] {
    for (kasuri_thread_t& t : threads) t = {};  // touched
    const long before = resident_bytes();
    for (kasuri_thread_t& t : threads)
      ASSERT_EQ(kasuri_thread_create(
                    &t, [](void* x) { return x; }, &t, KASURI_PARENT_FIRST),
                KASURI_SUCCESS);
    const long bytes = (resident_bytes() - before) / count;
    if (full_size) {
      EXPECT_LE(bytes, 300);  // 200 are promised, without what does not grow
    }
    for (kasuri_thread_t& t : threads) {
      void* result = nullptr;
      ASSERT_EQ(kasuri_thread_join(t, &result), KASURI_SUCCESS);
      ASSERT_EQ(result, &t);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(workers, many_threads, testing::Values(1, 2, 64),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
