// SPDX-License-Identifier: Apache-2.0
// gettid (glibc 2.30).
#include <sys/syscall.h>
#include <unistd.h>

extern "C" pid_t gettid() noexcept { return static_cast<pid_t>(::syscall(SYS_gettid)); }
