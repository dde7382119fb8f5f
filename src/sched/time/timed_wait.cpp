// SPDX-License-Identifier: Apache-2.0
#include "sched/time/timed_wait.hpp"

#include "sched/pool/ready.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

void end_wait(early_end& e) noexcept {
  auto& w = *static_cast<sched::timed_wait*>(e.wait);
  if (frame* const thread = w.expire(w)) sched::make_ready(static_cast<suspended*>(thread));
}

}  // namespace detail
}  // namespace kasuri
