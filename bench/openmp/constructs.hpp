// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <atomic>

/// The constructs of the EPCC synchronisation and schedule benchmarks (Bull, "Measuring
/// Synchronisation and Scheduling Overheads in OpenMP", EWOMP 1999; Bull, Reid, McDonnell,
/// IWOMP 2012), each around a body. Every run() meets its construct `reps` times with a team of
/// `threads`, and returns how many results were wrong.
namespace bench::openmp {

inline constexpr int sections = 4;
inline constexpr int iterations = 16;  ///< of the scheduled loops, a thread

/// A body that takes some time on one core and touches no memory.
struct delay {
  int length;
  /// The same code at every place: how a loop is aligned can double its time.
  [[gnu::noinline]] long operator()() const {
    for (int i = 0; i < length; ++i) asm volatile("");
    return 1;
  }
};

/// A body that counts how often it is run.
struct counting {
  std::atomic<long>* ran;
  long operator()() const {
    ran->fetch_add(1, std::memory_order_relaxed);
    return 1;
  }
};

struct parallel {
  template <class Body>
  static long run(long reps, int, const Body& body) {
    for (long r = 0; r < reps; ++r) {
#pragma omp parallel
      body();
    }
    return 0;
  }
};

struct loop {
  template <class Body>
  static long run(long reps, int threads, const Body& body) {
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
#pragma omp for
      for (int i = 0; i < threads; ++i) body();
    }
    return 0;
  }
};

struct parallel_loop {
  template <class Body>
  static long run(long reps, int threads, const Body& body) {
    for (long r = 0; r < reps; ++r) {
#pragma omp parallel for
      for (int i = 0; i < threads; ++i) body();
    }
    return 0;
  }
};

struct barrier {
  template <class Body>
  static long run(long reps, int, const Body& body) {
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
      body();
#pragma omp barrier
    }
    return 0;
  }
};

struct single {
  template <class Body>
  static long run(long reps, int, const Body& body) {
    long entered = 0;
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
#pragma omp single
      entered += body();
    }
    return entered != reps;
  }
};

struct copyprivate {
  template <class Body>
  static long run(long reps, int, const Body& body) {
    long wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    for (long r = 0; r < reps; ++r) {
      long value = 0;
#pragma omp single copyprivate(value)
      value = r + body();
      wrong += value != r + 1;
    }
    return wrong;
  }
};

struct masked {
  template <class Body>
  static long run(long reps, int, const Body&) {
    long entered = 0;
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
#pragma omp masked
      ++entered;
      asm volatile("" ::: "memory");
    }
    return entered != reps;
  }
};

struct critical {
  template <class Body>
  static long run(long reps, int threads, const Body& body) {
    long entered = 0;
#pragma omp parallel
    for (long r = 0; r < reps / threads; ++r) {
#pragma omp critical(bench_openmp)
      entered += body();
    }
    return entered != reps / threads * threads;
  }
};

struct lock {
  template <class Body>
  static long run(long reps, int threads, const Body& body) {
    long entered = 0;
    omp_lock_t mutex;
    omp_init_lock(&mutex);
#pragma omp parallel
    for (long r = 0; r < reps / threads; ++r) {
      omp_set_lock(&mutex);
      entered += body();
      omp_unset_lock(&mutex);
    }
    omp_destroy_lock(&mutex);
    return entered != reps / threads * threads;
  }
};

struct ordered {
  template <class Body>
  static long run(long reps, int, const Body& body) {
    long last = 0;
    long wrong = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (long r = 0; r < reps; ++r) {
#pragma omp ordered
      {
        wrong += last != r;
        last += body();
      }
    }
    return wrong;
  }
};

struct atomic {
  template <class Body>
  static long run(long reps, int threads, const Body&) {
    double sum = 0;
#pragma omp parallel
    for (long r = 0; r < reps / threads; ++r) {
#pragma omp atomic
      sum += 1;
    }
    return sum != static_cast<double>(reps / threads * threads);
  }
};

struct reduction {
  template <class Body>
  static long run(long reps, int, const Body& body) {
    long sum = 0;
    for (long r = 0; r < reps; ++r) {
#pragma omp parallel reduction(+ : sum)
      sum += body();
    }
    return sum == 0;
  }
};

struct section {
  template <class Body>
  static long run(long reps, int, const Body& body) {
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
#pragma omp sections
      {
#pragma omp section
        body();
#pragma omp section
        body();
#pragma omp section
        body();
#pragma omp section
        body();
      }
    }
    return 0;
  }
};

struct static_loop {
  template <class Body>
  static long run(long reps, int threads, const Body& body) {
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
#pragma omp for schedule(static, 1)
      for (int i = 0; i < threads * iterations; ++i) body();
    }
    return 0;
  }
};

struct dynamic_loop {
  template <class Body>
  static long run(long reps, int threads, const Body& body) {
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
#pragma omp for schedule(dynamic, 1)
      for (int i = 0; i < threads * iterations; ++i) body();
    }
    return 0;
  }
};

struct guided_loop {
  template <class Body>
  static long run(long reps, int threads, const Body& body) {
#pragma omp parallel
    for (long r = 0; r < reps; ++r) {
#pragma omp for schedule(guided, 1)
      for (int i = 0; i < threads * iterations; ++i) body();
    }
    return 0;
  }
};

}  // namespace bench::openmp
