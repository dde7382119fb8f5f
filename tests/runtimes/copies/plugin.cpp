// SPDX-License-Identifier: Apache-2.0
// A library that a program loads, with a copy of oneTBB that no other library uses.
#include <oneapi/tbb.h>
#include <oneapi/tbb/global_control.h>
#include <unistd.h>

#include <atomic>
#include <functional>

namespace {

tbb::task_scheduler_handle handle;

}  // namespace

/// Begins the life of this library's workers. Without a handle nobody can end it.
extern "C" void attach() { handle = tbb::task_scheduler_handle{tbb::attach{}}; }

/// Ends it. False: some thread is still inside.
extern "C" bool finalize() { return tbb::finalize(handle, std::nothrow); }

/// The sum of [0, n), by the workers of this library's oneTBB.
extern "C" long sum_below(long n) {
  return tbb::parallel_reduce(
      tbb::blocked_range<long>(0, n, 64), 0L,
      [](const auto& r, long s) {
        for (long i = r.begin(); i != r.end(); ++i) s += i;
        return s;
      },
      std::plus<>());
}

/// The kernel's number of a worker that runs a task of this library.
extern "C" int a_worker() {
  std::atomic<int> number{0};
  tbb::task_arena arena;
  arena.enqueue([&] { number = gettid(); });
  while (number == 0) usleep(100);
  return number;
}
