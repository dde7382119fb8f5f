// SPDX-License-Identifier: Apache-2.0
#include "omp/workshare_reduction.hpp"

#include "omp/task_reduction.hpp"
#include "omp/taskgroup.hpp"

namespace kasuri::omp {

void start_workshare_reductions(member& m) noexcept { begin_taskgroup(m).workshare = true; }

void register_workshare_reductions(member& m, std::uintptr_t* reductions,
                                   std::uintptr_t* of) noexcept {
  taskgroup& g = *m.current->group;
  if (of == nullptr)
    register_reductions(g, reductions, m.in->size);
  else
    share_reductions(g, reductions, of);
}

}  // namespace kasuri::omp
