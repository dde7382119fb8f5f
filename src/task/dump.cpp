// SPDX-License-Identifier: Apache-2.0
#include "sched/watch/dump.hpp"

#include "kasuri/runtime.hpp"

namespace [[gnu::visibility("default")]] kasuri {

void dump(int fd) { sched::dump(fd); }

}  // namespace kasuri
