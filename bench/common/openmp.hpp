// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <string>

#include "bench.hpp"

namespace bench {

/// One parallel region around the whole program, one thread of it starts the tasks.
/// BENCH_SYSTEM is the name of the implementation that this program was built for.
class openmp_system {
 public:
  static constexpr const char* name = BENCH_SYSTEM;
  static std::string version() { return "OpenMP " + std::to_string(_OPENMP) + ", " + compiler(); }

  explicit openmp_system(int workers) : workers_(workers) { omp_set_dynamic(0); }

  template <class F>
  void run(F&& f) {
#pragma omp parallel num_threads(workers_)
#pragma omp single
    f();
  }

 private:
  int workers_;
};

}  // namespace bench
