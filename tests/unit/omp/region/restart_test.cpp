// SPDX-License-Identifier: Apache-2.0
// OpenMP regions in a program that ends the pool and starts it again with another number of
// workers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <kasuri/kasuri.hpp>

extern "C" {
void kasuri_GOMP_parallel(void (*code)(void*), void* data, unsigned threads, unsigned flags);
void kasuri_GOMP_barrier();
}

namespace kasuri::omp {
namespace {

std::atomic<int> arrived;
std::atomic<int> passed;

/// A region of so many members with a barrier. Whether each arrived before any passed.
bool region(unsigned members) {
  arrived.store(0, std::memory_order_relaxed);
  passed.store(0, std::memory_order_relaxed);
  static unsigned size;
  size = members;
  kasuri_GOMP_parallel(
      [](void*) {
        arrived.fetch_add(1, std::memory_order_relaxed);
        kasuri_GOMP_barrier();
        if (arrived.load(std::memory_order_relaxed) == static_cast<int>(size))
          passed.fetch_add(1, std::memory_order_relaxed);
      },
      nullptr, members, 0);
  return passed.load(std::memory_order_relaxed) == static_cast<int>(members);
}

/// In a process of its own, which ends if it hangs.
template <class Program>
void expect_right(Program program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::alarm(60);
        ::_exit(program() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(restart, with_more_workers_after_fork_join_code) {
  expect_right([] {
    initialize({.workers = 2});
    run([] {});
    finalize();
    initialize({.workers = 4});
    return region(4) && region(4) && region(3);
  });
}

TEST(restart, with_more_and_with_fewer_workers_between_regions) {
  expect_right([] {
    for (const int workers : {2, 4, 3, 1, 5}) {
      initialize({.workers = workers});
      for (int i = 0; i != 10; ++i)
        if (!region(4) || !region(static_cast<unsigned>(workers))) return false;
      finalize();
    }
    return true;
  });
}

}  // namespace
}  // namespace kasuri::omp
