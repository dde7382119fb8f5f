// SPDX-License-Identifier: Apache-2.0
// Collective operations on values: see kasuri/global/collective.hpp.

#include "kasuri/global/collective.hpp"

#include <memory>
#include <new>
#include <span>
#include <string>

#include "cluster/base/process.hpp"
#include "cluster/sched/scheduler.hpp"
#include "cluster/transport/rank_values.hpp"
#include "kasuri/detail/self.hpp"
#include "kasuri/global/error.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {
namespace {

std::string name(collective what) {
  switch (what) {
    case collective::broadcast:
      return "global::broadcast";
    case collective::reduce:
      return "global::reduce";
    case collective::all_reduce:
      return "global::all_reduce";
    case collective::scan:
      return "global::scan";
    case collective::exclusive_scan:
      break;
  }
  return "global::exclusive_scan";
}

bool collect_by(cluster::rank_values& by, collective what, std::span<std::byte> value, int root,
                const cluster::combination& with) {
  switch (what) {
    case collective::broadcast:
      by.broadcast(value, root);
      return true;
    case collective::reduce:
      return by.reduce(value, root, with);
    case collective::all_reduce:
      by.all_reduce(value, with);
      return true;
    case collective::scan:
      by.scan(value, with);
      return true;
    case collective::exclusive_scan:
      break;
  }
  return by.exclusive_scan(value, with);
}

}  // namespace

bool collect(collective what, void* value, std::size_t bytes, int root, combine how,
             const void* op) {
  cluster::process& here = cluster::started_process();
  const bool in_task = here.scheduler != nullptr ? here.scheduler->pool().inside()
                                                 : kasuri::detail::self() != nullptr;
  if (in_task)
    throw error(name(what) +
                " of the ranks' values: used inside a task; accepted: outside of tasks, by all "
                "ranks (inside, use the algorithms over views)");
  const int ranks = here.network->size();
  if (root < 0 || root >= ranks)
    throw error(name(what) + ": rank " + std::to_string(root) + " as the root; accepted: 0 to " +
                std::to_string(ranks - 1));
  if (here.values == nullptr) here.values = std::make_shared<cluster::rank_values>(*here.network);
  try {
    return collect_by(*here.values, what, {static_cast<std::byte*>(value), bytes}, root, {how, op});
  } catch (const std::bad_alloc&) {
    throw error(name(what) + " of " + std::to_string(bytes) +
                " bytes: some rank has no room for the values that others send; accepted: less");
  }
}

}  // namespace global::detail
}  // namespace kasuri
