// SPDX-License-Identifier: Apache-2.0
#include "platform/process/output_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace kasuri::platform {
namespace {

/// Behind a limit of the size of files (ulimit -f) a write fails, and does not end the process.
class no_limit_signal {
 public:
  no_limit_signal() noexcept {
    sigemptyset(&own_);
    sigaddset(&own_, SIGXFSZ);
    sigset_t pending;
    changed_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 0 &&
               pthread_sigmask(SIG_BLOCK, &own_, &before_) == 0;
  }
  ~no_limit_signal() {
    if (!changed_) return;
    const int reason = errno;
    constexpr std::timespec no_time{};
    while (sigtimedwait(&own_, nullptr, &no_time) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = reason;
  }
  no_limit_signal(const no_limit_signal&) = delete;
  no_limit_signal& operator=(const no_limit_signal&) = delete;

 private:
  sigset_t own_;
  sigset_t before_;
  bool changed_ = false;
};

output_file::open_result prepare(int fd) noexcept {
  struct stat status;
  if (::fstat(fd, &status) != 0) return output_file::open_result::failed;
  if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) {
    errno = EINVAL;
    return output_file::open_result::failed;
  }
  if (!S_ISREG(status.st_mode)) return output_file::open_result::opened;
  // File systems without locks give another error: then there is no guard, and that must do.
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return output_file::open_result::in_use;
  }
  return ::ftruncate(fd, 0) == 0 ? output_file::open_result::opened
                                 : output_file::open_result::failed;
}

}  // namespace

bool write_fully(int fd, const void* data, std::size_t bytes) noexcept {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

output_file::open_result output_file::open(const std::string& path) noexcept {
  // O_NONBLOCK: a pipe without a reader fails at once. Emptied only once the lock is ours.
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
  if (fd < 0) return open_result::failed;
  const open_result result = prepare(fd);
  if (result != open_result::opened) {
    const int reason = errno;
    ::close(fd);
    errno = reason;
    return result;
  }
  close();
  fd_ = fd;
  size_ = 0;
  return result;
}

bool output_file::append(std::span<const iovec> pieces) noexcept {
  const no_limit_signal guard;
  std::uint64_t total = 0;
  for (const iovec& piece : pieces) {
    if (!write_fully(fd_, piece.iov_base, piece.iov_len)) {
      const int reason = errno;
      // Best effort: a device cannot be shortened, and what fails here has failed already.
      if (::ftruncate(fd_, static_cast<off_t>(size_)) == 0) {
        ::lseek(fd_, static_cast<off_t>(size_), SEEK_SET);
      }
      errno = reason;
      return false;
    }
    total += piece.iov_len;
  }
  size_ += total;
  return true;
}

void output_file::close() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace kasuri::platform
