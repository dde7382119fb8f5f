// SPDX-License-Identifier: Apache-2.0
// Tests that are to hold for any number of workers.
#pragma once

#include <gtest/gtest.h>

#include <kasuri/kasuri.hpp>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace kasuri::test {

/// How many threads the monitor has lent so far. A test about the order on one worker says nothing
/// when one came: its thread was off its processor for some milliseconds while work waited.
inline std::uint64_t threads_lent() {
  std::uint64_t sum = 0;
  for (const worker_counters& c : counters()) sum += c.spares;
  return sum;
}

/// A pool of GetParam() workers for each test.
class pool_of : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { initialize({.workers = GetParam()}); }
  void TearDown() override { finalize(); }

  /// Runs body(i) for i below `count` as tasks, all of which may wait for each other.
  template <class F>
  static void tasks(int count, F body) {
    run([&] {
      task_group group;
      for (int i = 0; i != count; ++i) group.run([&body, i] { body(i); });
      group.wait();
    });
  }

  /// The same, with OS threads that are no workers calling body(tasks), body(tasks + 1) ...
  template <class F>
  static void tasks_and_threads(int count, int threads, F body) {
    std::vector<std::thread> foreign;
    for (int i = 0; i != threads; ++i) foreign.emplace_back([&body, i, count] { body(count + i); });
    tasks(count, body);
    for (std::thread& t : foreign) t.join();
  }
};

}  // namespace kasuri::test
