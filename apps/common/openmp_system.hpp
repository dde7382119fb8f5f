// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include "apps/common/openmp_runtime.hpp"
#include "apps/common/program.hpp"

namespace apps {

/// Whichever runtime the loader found.
inline system openmp_system() {
  system made;
  made.name = openmp_runtime_file();
  made.start = [](int threads) {
    if (threads > 0) omp_set_num_threads(threads);
  };
  made.threads = [] { return omp_get_max_threads(); };
  made.by_loop = [](int n, const std::function<void(int)>& f) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) f(i);
  };
  made.by_tasks = [](int n, const std::function<void(int)>& f) {
    for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(i) shared(f)
      f(i);
    }
#pragma omp taskwait
  };
  made.enter = [](const std::function<void()>& f) {
#pragma omp parallel
#pragma omp single
    f();
  };
  return made;
}

}  // namespace apps
