// SPDX-License-Identifier: Apache-2.0
// The heavy half of the asymmetric fence: membarrier(2), registered once for the process.

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kasuri/detail/atomics.hpp"
#include "platform/fatal.hpp"

namespace kasuri::detail {
void prepare_fence_heavy() noexcept {
  const long have = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (have < 0 || (have & MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
    platform::fatal(
        "the kernel offers no membarrier(PRIVATE_EXPEDITED) (Linux 4.14 or newer; a seccomp filter "
        "may hide it): thieves cannot take work from a busy owner without it");
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
    platform::fatal("membarrier(REGISTER_PRIVATE_EXPEDITED) failed");
}

void fence_heavy() noexcept {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
  prepare_fence_heavy();  // the process has not registered: it uses a deque without a pool
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    platform::fatal("membarrier(PRIVATE_EXPEDITED) failed");
}

void yield_processor() noexcept { sched_yield(); }

}  // namespace kasuri::detail
