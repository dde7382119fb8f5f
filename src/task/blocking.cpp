// SPDX-License-Identifier: Apache-2.0
#include "kasuri/blocking.hpp"

#include "sched/pool.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

void blocking_begin() noexcept {
  if (sched::worker* w = sched::current()) w->home->blocking_begin(*w);
}

// A task that waited inside may be back on another worker: the loan is the pool's, not the worker's.
void blocking_end() noexcept {
  if (sched::worker* w = sched::current()) w->home->blocking_end(*w);
}

}  // namespace detail
}  // namespace kasuri
