// SPDX-License-Identifier: Apache-2.0
// GCC's task reductions.

#include "omp/abi/gomp/gomp_region.hpp"
#include "omp/abi/gomp/workshare_reduction.hpp"
#include "omp/run/task_reduction.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/team/team.hpp"
#include "omp/work/cancel.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {
namespace {

/// A parallel region with task reductions: all its members are in one group that only lends them.
struct parallel_reductions {
  void* data;  // begins with the address of the array
  taskgroup group;
  int threads = 0;  // of the team; member 0 writes it

  static void call(const region_code& code, member& m) {
    auto& self = *static_cast<parallel_reductions*>(code.data);
    KASURI_EXPECT(cheap, m.current == &m.implicit && m.implicit.group == nullptr,
                  "member %d begins in group %p", m.number, static_cast<void*>(m.implicit.group));
    if (m.number == 0) self.threads = m.in->size;
    m.current->group = &self.group;
    reinterpret_cast<gomp::function>(code.function)(self.data);
    omp::self().current->group = nullptr;
  }
};

}  // namespace

/// Returns the size of the team: so many copies are to be combined.
extern "C" unsigned kasuri_GOMP_parallel_reductions(gomp::function f, void* data, unsigned threads,
                                                    unsigned flags) {
  const region_clauses clauses = gomp::clauses_of(threads, flags);
  auto* const array = *static_cast<std::uintptr_t**>(data);
  parallel_reductions region{.data = data, .group = {}};
  region.group.counted = false;
  register_reductions(region.group, array, members_of_region(self(), clauses));
  run_region({parallel_reductions::call, reinterpret_cast<void (*)()>(f), &region, 1}, clauses);
  return static_cast<unsigned>(region.threads);
}

void start_workshare_reductions(member& m) noexcept { begin_taskgroup(m).workshare = true; }

void register_workshare_reductions(member& m, std::uintptr_t* reductions,
                                   std::uintptr_t* of) noexcept {
  taskgroup& g = *m.current->group;
  KASURI_EXPECT(cheap, g.workshare && g.owner == &m, "member %d registers in a group of member %d",
                m.number, g.owner != nullptr ? g.owner->number : -1);
  if (of == nullptr) {
    register_reductions(g, reductions, m.in->size);
    platform::happens_before(reductions);
  } else {
    platform::happens_after(of);
    share_reductions(g, reductions, of);
  }
}

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

/// The end of a worksharing construct's task reductions. All members share the memory of the
/// arrays: it goes when the last of them has no more use for it.
extern "C" void kasuri_GOMP_workshare_task_reduction_unregister(bool cancelled) {
  member& m = self();
  std::uintptr_t* const array = m.current->group->gcc_reductions;
  KASURI_EXPECT(cheap, m.current->group->workshare && array != nullptr,
                "member %d ends reductions %p", m.number, static_cast<void*>(array));
  const bool frees = m.number == 0;
  end_taskgroup(m);
  if (!cancelled) team_barrier(self(), false, tool::sync_kind::barrier_workshare);
  if (frees) unregister_reductions(array);
}

}  // namespace kasuri::omp
