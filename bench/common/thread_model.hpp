// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "bench.hpp"

/// Fork-join programs written with nothing but threads: create, join, yield.
///
/// A thread system is one of kasuri/model/threads.hpp, created child first, with
///   static void yield();
namespace bench::thread_model {

inline void* empty_thread(void*) {
  empty_task();
  return nullptr;
}

inline void* counting_thread(void* counter) {
  static_cast<std::atomic<long>*>(counter)->fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

template <class System>
struct fib {
  long n;
  long result;

  /// A thread for every call but the second of each pair.
  static void* entry(void* argument) {
    auto& self = *static_cast<fib*>(argument);
    if (self.n < 2) {
      self.result = self.n;
      return nullptr;
    }
    fib first{self.n - 1, 0};
    fib second{self.n - 2, 0};
    typename System::thread child;
    System::create(child, &entry, &first);
    entry(&second);
    System::join(child);
    self.result = first.result + second.result;
    return nullptr;
  }

  static long of(long n) {
    fib call{n, 0};
    entry(&call);
    return call.result;
  }
};

/// Creates a thread and joins it, `count` times.
template <class System>
void create_and_join(long count, void* (*entry)(void*), void* argument) {
  for (long i = 0; i < count; ++i) {
    typename System::thread one;
    System::create(one, entry, argument);
    System::join(one);
  }
}

/// Creates `count` threads, then joins them all.
template <class System>
void create_then_join(long count, void* (*entry)(void*), void* argument) {
  std::vector<typename System::thread> threads(static_cast<std::size_t>(count));
  for (auto& t : threads) System::create(t, entry, argument);
  for (auto& t : threads) System::join(t);
}

}  // namespace bench::thread_model
