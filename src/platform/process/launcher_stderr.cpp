// SPDX-License-Identifier: Apache-2.0
#include "platform/process/launcher_stderr.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdio>
#include <optional>

namespace kasuri::platform {
namespace {

struct stderr_path {
  explicit stderr_path(int pid) noexcept { std::snprintf(text, sizeof text, "/proc/%d/fd/2", pid); }
  char text[48];
};

std::optional<int> parent_of(int pid) noexcept {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return std::nullopt;
  char line[512];
  const std::size_t bytes = std::fread(line, 1, sizeof line - 1, file);
  std::fclose(file);
  line[bytes] = '\0';
  const char* after_name = nullptr;
  for (const char* at = line; *at != '\0'; ++at) {
    if (*at == ')') after_name = at + 1;
  }
  int parent = 0;
  if (after_name == nullptr || std::sscanf(after_name, " %*c %d", &parent) != 1)
    return std::nullopt;
  return parent;
}

bool is_null_device(const struct stat& status) noexcept {
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

// The same open file if the system lets us, whose offset is then shared; else what can be opened
// once more without an offset.
int take_stderr(int pid, const struct stat& status) noexcept {
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  const int same = process < 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_getfd, process, 2, 0));
  if (process >= 0) ::close(process);
  if (same >= 0 || !(S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))) return same;
  return ::open(stderr_path(pid).text, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

}  // namespace

int stderr_of_launcher() noexcept {
  struct stat mine{};
  if (::fstat(STDERR_FILENO, &mine) != 0 || !S_ISFIFO(mine.st_mode)) return -1;
  for (std::optional<int> pid = ::getppid(); pid && *pid > 1; pid = parent_of(*pid)) {
    struct stat theirs{};
    if (::stat(stderr_path(*pid).text, &theirs) != 0) return -1;
    if (theirs.st_dev == mine.st_dev && theirs.st_ino == mine.st_ino) continue;
    return is_null_device(theirs) ? -1 : take_stderr(*pid, theirs);
  }
  return -1;
}

}  // namespace kasuri::platform
