// SPDX-License-Identifier: Apache-2.0
// GCC's task reductions.

#include "omp/barrier.hpp"
#include "omp/task_reduction.hpp"
#include "omp/taskgroup.hpp"
#include "omp/team.hpp"

namespace kasuri::omp {

extern "C" void kasuri_GOMP_taskgroup_reduction_register(std::uintptr_t* array) {
  member& m = self();
  if (m.current->group != nullptr) register_reductions(*m.current->group, array, m.in->size);
}

extern "C" void kasuri_GOMP_taskgroup_reduction_unregister(std::uintptr_t* array) {
  unregister_reductions(array);
}

extern "C" void kasuri_GOMP_task_reduction_remap(std::size_t count, std::size_t originals,
                                                 void** addresses) {
  remap_reductions(self(), count, originals, addresses);
}

/// The end of a worksharing construct's task reductions. All members share the memory of the arrays:
/// it goes when the last of them has no more use for it.
extern "C" void kasuri_GOMP_workshare_task_reduction_unregister(bool cancelled) {
  member& m = self();
  std::uintptr_t* const array = m.current->group->gcc_reductions;
  const bool frees = m.number == 0;
  end_taskgroup(m);
  if (!cancelled) barrier(self());
  if (frees) unregister_reductions(array);
}

}  // namespace kasuri::omp
