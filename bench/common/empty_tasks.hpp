// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <string>

#include "bench.hpp"

/// Problems made of nothing but empty tasks. Counting them would cost more than they do, so the
/// rehearsal runs tasks that count, through the same loop, and its count is what is checked.
namespace bench {

struct empty_tasks {
  using answer = long;

  explicit empty_tasks(long tasks) : n(tasks) {}

  empty_tasks counting() const {
    empty_tasks small(std::min(n, 10000L));
    small.counted = true;
    return small;
  }

  std::string wrong(long ran) const {
    if (!counted || ran == n) return "";
    return std::to_string(ran) + " of " + std::to_string(n) + " tasks ran";
  }

  /// Calls loop(n, task) with an empty task, or with one that counts; returns the count.
  template <class Loop>
  long solve(const Loop& loop) const {
    if (!counted) {
      loop(n, [] { empty_task(); });
      return 0;
    }
    std::atomic<long> ran = 0;
    loop(n, [&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
    return ran.load(std::memory_order_relaxed);  // the loop has waited for its tasks
  }

  /// The same for a system whose tasks are functions with an argument.
  template <class Loop, class Entry>
  long solve(const Loop& loop, Entry empty, Entry counting_entry) const {
    std::atomic<long> ran = 0;
    loop(n, counted ? counting_entry : empty, &ran);
    return ran.load(std::memory_order_relaxed);  // the loop has waited for its tasks
  }

  long n;
  bool counted = false;
};

}  // namespace bench
