// SPDX-License-Identifier: Apache-2.0
// The functions of the program's side that need no template.

#include "cluster/base/process.hpp"
#include "cluster/sched/scheduler.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/detail/self.hpp"
#include "kasuri/global/counters.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/runtime.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {
namespace detail {

void run_on_all(const closure_kind& kind, void* closure, void* result) {
  if (cluster::scheduler* const s = cluster::started_process().scheduler)
    return s->run_root(kind, closure, result);
  if (kasuri::detail::self() != nullptr)
    throw error(
        "global::run: called from inside a task; accepted: outside of tasks, by all ranks "
        "(inside, use global::parallel_invoke)");
  kasuri::run([&] { kind.run(closure, result); });
}

}  // namespace detail

std::vector<rank_counters> counters() {
  cluster::scheduler* const s = cluster::started_process().scheduler;
  if (s == nullptr) return {};
  if (s->pool().inside())
    throw error(
        "global::counters: called from inside a task; accepted: outside of tasks, by all ranks");
  cluster::meet(s->network(), {.what = cluster::collective_call::kind::counters});
  return s->gather_counters();
}

}  // namespace global
}  // namespace kasuri
