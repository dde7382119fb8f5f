// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/openmp_runtime.hpp"
#include "common/bench.hpp"

/// The frame of the programs in this folder: each is built once per compiler, and the runtime it
/// meets is the loader's choice. BENCH_SYSTEM is the compiler's name.
namespace bench::openmp {

/// Regions of as many threads as workers; the program runs outside of any region.
struct runtime {
  static constexpr const char* name = BENCH_SYSTEM;
  static std::string version() { return apps::openmp_runtime_file(); }

  explicit runtime(int workers) { omp_set_num_threads(workers); }

  template <class F>
  void run(F&& f) {
    f();
  }
};

/// Times in a region of its own: one thread runs f, the others serve its tasks.
template <class F>
auto in_single(const F& f) -> decltype(f()) {
  decltype(f()) result{};
#pragma omp parallel
#pragma omp single
  result = f();
  return result;
}

/// bench::run for this folder: the workers are OMP_NUM_THREADS's where they are not named, and
/// `--runtime` prints the runtime's file and leaves.
template <class Problem>
int run(int argc, char** argv, const std::vector<variant<Problem>>& ways) {
  if (argc == 2 && std::string_view(argv[1]) == "--runtime") {
    std::printf("%s\n", apps::openmp_runtime_file().c_str());
    return 0;
  }
  arguments defaults;
  defaults.workers = omp_get_max_threads();
  return bench::run<runtime, Problem>(argc, argv, ways, std::move(defaults));
}

/// How often the longest of `threads` equal pieces of work must share a core.
inline int rounds_on_cores(int threads) {
  const int cores = std::max(1, omp_get_num_procs());
  return (threads + cores - 1) / cores;
}

}  // namespace bench::openmp
