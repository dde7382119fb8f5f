// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "bench.hpp"

/// Fork-join programs written with nothing but threads: create, join, yield.
///
/// A thread system adds to what bench.hpp asks of a system
///   using thread = ...;
///   static thread create(void* (*entry)(void*), void* argument);   child first
///   static void join(thread);                                      and give it back
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
    const auto child = System::create(&entry, &first);
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

/// The answers of f on this thread and of g on a new one, added.
template <class System, class F, class G>
auto fork_join(const F& f, const G& g) -> decltype(f() + g()) {
  struct call {
    const G& g;
    decltype(g()) result;
    static void* entry(void* argument) {
      auto& self = *static_cast<call*>(argument);
      self.result = self.g();
      return nullptr;
    }
  } other{g, {}};
  const auto child = System::create(&call::entry, &other);
  const auto result = f();
  System::join(child);
  return result + other.result;
}

/// Creates a thread and joins it, `count` times.
template <class System>
void create_and_join(long count, void* (*entry)(void*), void* argument) {
  for (long i = 0; i < count; ++i) System::join(System::create(entry, argument));
}

/// Creates `count` threads, then joins them all.
template <class System>
void create_then_join(long count, void* (*entry)(void*), void* argument) {
  std::vector<typename System::thread> threads(static_cast<std::size_t>(count));
  for (auto& t : threads) t = System::create(entry, argument);
  for (auto& t : threads) System::join(t);
}

}  // namespace bench::thread_model
