// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of a copy of OpenBLAS that Kasuri calls, under the names that its builders give
// them: NumPy's and SciPy's wheels have a prefix, builds with 64-bit integers a suffix. SciPy's has
// the prefix at all but the function that sets the callback.

#include <cstddef>

#include "platform/process/loaded_objects.hpp"

namespace kasuri::runtimes::blas {

/// Runs job number `index`, the record at `job`, with the work area of that thread number.
using run_job = void (*)(int thread, void* job, int data);

/// OpenBLAS calls this in place of its own threads: n jobs, one behind the other from `jobs` on,
/// each of `size` bytes. `sync` is always 1: it returns when all have ended.
using callback = void (*)(int sync, run_job run, int n, std::size_t size, void* jobs, int data);

/// Null: the copy has none.
struct functions {
  void (*set_callback)(callback) = nullptr;
  int (*parallel)() = nullptr;  // 0 no threads, 1 threads of its own, 2 OpenMP
  int (*threads)() = nullptr;   // that it uses for a call at most
  void (*set_threads)(int) = nullptr;
  char* (*config)() = nullptr;
};

/// Of openblas_get_parallel.
constexpr int with_own_threads = 1;

functions functions_of(const platform::loaded_object& object) noexcept;

/// Names of the functions that tell OpenBLAS apart from other libraries; ends with null.
extern const char* const names_of_parallel[];

}  // namespace kasuri::runtimes::blas
