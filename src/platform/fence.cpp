// SPDX-License-Identifier: Apache-2.0
// The heavy half of the asymmetric fence: membarrier(2), registered once for the process.

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kasuri/detail/atomics.hpp"
#include "platform/fatal.hpp"

namespace kasuri::detail {
namespace {

bool register_once() noexcept {
  const long have = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (have < 0 || (have & MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
    platform::fatal(
        "the kernel offers no membarrier(PRIVATE_EXPEDITED) (Linux 4.14 or newer; a seccomp filter "
        "may hide it): thieves cannot take work from a busy owner without it");
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

}  // namespace

void prepare_fence_heavy() noexcept {
  static const bool registered = register_once();
  if (!registered) platform::fatal("membarrier(REGISTER_PRIVATE_EXPEDITED) failed");
}

void fence_heavy() noexcept {
  // Without the barrier two would take the same frame now and then: better to end here.
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) [[unlikely]]
    platform::fatal("membarrier(PRIVATE_EXPEDITED) failed: not registered, or forbidden since");
}

void yield_processor() noexcept { sched_yield(); }

}  // namespace kasuri::detail
