// SPDX-License-Identifier: Apache-2.0
#include "platform/process/system_call_names.hpp"

#include <sys/syscall.h>

namespace kasuri::platform {

const char* system_call_name(long number) noexcept {
  switch (number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readv:
      return "read()";
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
      return "write()";
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return "sleep()";
    case SYS_recvfrom:
    case SYS_recvmsg:
      return "recv()";
    case SYS_accept:
    case SYS_accept4:
      return "accept()";
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
#endif
      return "poll()";
    case SYS_futex:
      return "futex()";
    case SYS_wait4:
      return "wait()";
    case SYS_fsync:
    case SYS_fdatasync:
      return "fsync()";
    default:
      return "a system call";
  }
}

}  // namespace kasuri::platform
