// SPDX-License-Identifier: Apache-2.0
// closefrom (glibc 2.34). It does not allocate, for it is called in children of programs with
// threads. Before Linux 5.9 there is no call for it: the open descriptors are read from /proc.
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "older.hpp"

namespace {

// As the kernel writes it.
struct entry {
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t length;
  std::uint8_t kind;
};
constexpr std::size_t name_at = offsetof(entry, kind) + 1;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::abort();
}

/// Closes what the folder lists from `low` on, but the folder itself; whether there was any.
bool close_listed(int folder, int low) {
  alignas(entry) char buffer[4096];
  bool any = false;
  for (;;) {
    const long bytes = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (bytes < 0) fail("kasuri: closefrom: /proc/self/fd");
    if (bytes == 0) return any;
    for (long at = 0; at < bytes;) {
      std::uint16_t length = 0;
      std::memcpy(&length, buffer + at + offsetof(entry, length), sizeof length);
      const char* const name = buffer + at + name_at;
      char* end = nullptr;
      const long number = std::strtol(name, &end, 10);
      if (end != name && number >= low && number != folder) {
        ::close(static_cast<int>(number));
        any = true;
      }
      at += length;
    }
  }
}

}  // namespace

namespace kasuri::older {

void close_by_proc(int low) noexcept {
  const int folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail("kasuri: closefrom: /proc/self/fd");
  // A list that shrinks while it is read may leave some out.
  while (close_listed(folder, low)) {
    if (::lseek(folder, 0, SEEK_SET) != 0) fail("kasuri: closefrom: /proc/self/fd");
  }
  ::close(folder);
}

}  // namespace kasuri::older

extern "C" void closefrom(int low) noexcept {
  constexpr long close_range = 436;  // on all machines; older headers do not name it
  const int from = low < 0 ? 0 : low;
  if (::syscall(close_range, from, UINT_MAX, 0) != 0) kasuri::older::close_by_proc(from);
}
