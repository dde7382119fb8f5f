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
  made.allocate = [](std::size_t bytes) {
    omp_alloctrait_t traits[] = {{omp_atk_partition, omp_atv_blocked},
                                 {omp_atk_alignment, page_size()}};
    // Never destroyed: what it gave is freed at the very end.
    const omp_allocator_handle_t blocked = omp_init_allocator(omp_default_mem_space, 2, traits);
    return memory(omp_alloc(bytes, blocked), bytes,
                  [](void* data) { omp_free(data, omp_null_allocator); });
  };
  return made;
}

}  // namespace apps
