// SPDX-License-Identifier: Apache-2.0
// Tasks of 25 us that hold a lock for 20 of them. A second place takes the same lock for no time:
// it waits as often, and is not to blame. The repaired twin computes before it takes the lock.
#pragma once

#include <kasuri/kasuri.hpp>

#include <mutex>

#include "../program.h"

template <class Mutex>
class totals {
 public:
  void add_slowly(std::uint64_t x) {
    const std::lock_guard hold(mutex_);  // planted: lock
    SPIN_US(x, 20);
    sum_ += x;
  }
  void add(std::uint64_t x) {
    SPIN_US(x, 20);
    const std::lock_guard hold(mutex_);
    sum_ += x;
  }
  void count() {
    const std::lock_guard hold(mutex_);
    ++count_;
  }
  std::uint64_t sum() const { return sum_ + count_; }

 private:
  Mutex mutex_;
  std::uint64_t sum_ = 0;
  std::uint64_t count_ = 0;
};

template <class Mutex>
int run_locked(int argc, char** argv) {
  const program p = read_arguments(argc, argv);
  totals<Mutex> all;
  kasuri::parallel_for(0L, scaled(p, 50'000), [&](long i) {
    auto x = static_cast<std::uint64_t>(i);
    SPIN_US(x, 5);
    p.repaired ? all.add(x) : all.add_slowly(x);
    if (i % 8 == 0) all.count();
  });
  return print_checksum(all.sum());
}
