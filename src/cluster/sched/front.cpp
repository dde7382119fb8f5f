// SPDX-License-Identifier: Apache-2.0
// The functions of the program's side that need no template.

#include "cluster/process.hpp"
#include "cluster/sched/scheduler.hpp"
#include "kasuri/global/counters.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/runtime.hpp"

namespace kasuri [[gnu::visibility("default")]] {
namespace global {
namespace detail {

void run_on_all(const closure_kind& kind, void* closure, void* result) {
  if (cluster::current_process != nullptr && cluster::current_process->scheduler != nullptr)
    return cluster::current_process->scheduler->run_root(kind, closure, result);
  kasuri::run([&] { kind.run(closure, result); });
}

}  // namespace detail

std::vector<rank_counters> counters() {
  if (cluster::current_process == nullptr || cluster::current_process->scheduler == nullptr) return {};
  return cluster::current_process->scheduler->gather_counters();
}

}  // namespace global
}  // namespace kasuri
