// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <cstddef>

/// Ways to make n tasks around a body, within a team of `threads`. Every run() returns how many
/// results were wrong.
namespace bench::openmp {

struct flat {
  template <class Body>
  static long run(long n, int, const Body& body) {
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; ++i) {
#pragma omp task
      body();
    }
    return 0;
  }
};

struct flat_all {
  template <class Body>
  static long run(long n, int threads, const Body& body) {
#pragma omp parallel
    for (long i = omp_get_thread_num(); i < n; i += threads) {
#pragma omp task
      body();
    }
    return 0;
  }
};

struct task_then_wait {
  template <class Body>
  static long run(long n, int, const Body& body) {
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; ++i) {
#pragma omp task
      body();
#pragma omp taskwait
    }
    return 0;
  }
};

struct task_then_wait_all {
  template <class Body>
  static long run(long n, int threads, const Body& body) {
#pragma omp parallel
    for (long i = omp_get_thread_num(); i < n; i += threads) {
#pragma omp task
      body();
#pragma omp taskwait
    }
    return 0;
  }
};

struct group {
  template <class Body>
  static long run(long n, int, const Body& body) {
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; ++i) {
#pragma omp taskgroup
      {
#pragma omp task
        body();
      }
    }
    return 0;
  }
};

struct undeferred {
  template <class Body>
  static long run(long n, int, const Body& body) {
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; ++i) {
#pragma omp task if (0)
      body();
    }
    return 0;
  }
};

/// Chains through 64 addresses: a task adds to its own without protection but the dependence.
struct depend {
  template <class Body>
  static long run(long n, int, const Body& body) {
    constexpr long addresses = 64;
    struct alignas(64) counter {
      long value = 0;
    };
    std::array<counter, addresses> chains;
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; ++i) {
      counter* const own = &chains[static_cast<std::size_t>(i % addresses)];
#pragma omp task depend(inout : own[0])
      {
        body();
        ++own->value;
      }
    }
    long wrong = 0;
    for (long i = 0; i < addresses; ++i) {
      const long expected = n / addresses + (i < n % addresses);
      wrong += chains[static_cast<std::size_t>(i)].value != expected;
    }
    return wrong;
  }
};

// Clang counts a taskloop in 64 bits without a sign, and then warns of its own comparison.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
struct loop_of_tasks {
  template <class Body>
  static long run(long n, int, const Body& body) {
    const int end = static_cast<int>(n);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(end)
      for (int i = 0; i < end; ++i) body();
    }
    return 0;
  }
};
#pragma GCC diagnostic pop

/// Every sixteenth is a parent of the fifteen others, and waits for them.
struct parents {
  static constexpr long family = 16;
  template <class Body>
  static long run(long n, int, const Body& body) {
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i += family) {
      const long children = (n - i < family ? n - i : family) - 1;
#pragma omp task
      {
        for (long c = 0; c < children; ++c) {
#pragma omp task
          body();
        }
        body();
#pragma omp taskwait
      }
    }
    return 0;
  }
};

/// One producer that goes on when its last tasks are finished, and waits for none: a counter tells.
struct finished {
  template <class Body>
  static long run(long n, int threads, const Body& body) {
    constexpr long batch = 256;
    std::atomic<long> done = 0;
    if (threads < 2) return n;  // nobody else could run them
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; ++i) {
#pragma omp task
      {
        body();
        // pairs with the producer's load: the task has nothing left to do
        done.fetch_add(1, std::memory_order_release);
      }
      if ((i + 1) % batch != 0) continue;
      // pairs with the tasks' fetch_add
      while (done.load(std::memory_order_acquire) < i + 1) sched_yield();
    }
    return done.load(std::memory_order_relaxed) != n;
  }
};

}  // namespace bench::openmp
