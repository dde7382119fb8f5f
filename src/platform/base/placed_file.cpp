// SPDX-License-Identifier: Apache-2.0
#include "platform/base/placed_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

namespace kasuri::platform {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // the system takes less than 2 GiB

/// Behind the limit a write would not only fail, but end the process by a signal.
bool within_limit(std::uint64_t bytes) noexcept {
  rlimit limit;
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      bytes <= limit.rlim_cur)
    return true;
  errno = EFBIG;
  return false;
}

/// The folder that a file is in.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Who may do what with a regular file of that name, if there is one.
std::optional<mode_t> permissions_of(const std::string& path) noexcept {
  struct stat about;
  if (::lstat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return about.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
}

}  // namespace

bool placed_file::create(const std::string& path, std::uint64_t bytes,
                         const std::string& replaced) noexcept {
  close();
  if (!within_limit(bytes)) return false;
  const mode_t old = permissions_of(replaced).value_or(0666);
  // Written alone: pages that two hosts share are not read back.
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old | S_IRUSR | S_IWUSR);
  if (fd_ < 0) return false;
  if (::ftruncate(fd_, static_cast<off_t>(bytes)) == 0) return true;
  const int reason = errno;
  ::unlink(path.c_str());
  close();
  errno = reason;
  return false;
}

bool placed_file::open_to_write(const std::string& path, std::uint64_t bytes) noexcept {
  close();
  if (!within_limit(bytes)) return false;
  fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  return fd_ >= 0;
}

bool placed_file::open_to_read(const std::string& path) noexcept {
  close();
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // no waiting for a pipe
  struct stat about;
  if (fd_ < 0 || ::fstat(fd_, &about) != 0) return false;
  if (!S_ISREG(about.st_mode)) {
    errno = EINVAL;
    return false;
  }
  bytes_ = static_cast<std::uint64_t>(about.st_size);
  return true;
}

bool placed_file::write(const void* data, std::size_t bytes, std::uint64_t at) noexcept {
  const auto* from = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t done = ::pwrite(fd_, from, std::min(bytes, most_at_once), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENOSPC;
    if (done <= 0) return false;
    from += done;
    at += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

bool placed_file::read(void* data, std::size_t bytes, std::uint64_t at) noexcept {
  auto* to = static_cast<char*>(data);
  while (bytes != 0) {
    const ssize_t done = ::pread(fd_, to, std::min(bytes, most_at_once), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENODATA;
    if (done <= 0) return false;
    to += done;
    at += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

bool placed_file::make_durable() noexcept {
  // EINVAL, EROFS: nothing that could be made durable, as a device.
  return ::fsync(fd_) == 0 || errno == EINVAL || errno == EROFS;
}

bool placed_file::close() noexcept {
  const int was = std::exchange(fd_, -1);
  bytes_ = 0;
  // Not again after EINTR: it has been closed.
  return was < 0 || ::close(was) == 0 || errno == EINTR;
}

bool may_be_file(const std::string& path) noexcept {
  struct stat about;
  if (::lstat(path.c_str(), &about) != 0) return errno == ENOENT;
  if (S_ISREG(about.st_mode) || S_ISLNK(about.st_mode)) return true;
  errno = EEXIST;
  return false;
}

bool rename_file(const std::string& from, const std::string& to) noexcept {
  const auto old = permissions_of(to);
  if (old && old != permissions_of(from) && ::chmod(from.c_str(), *old) != 0) return false;
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool make_name_durable(const std::string& path) noexcept {
  // Some systems have no folders that can be opened or made durable: the name is there anyway.
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return true;
  const bool durable = ::fsync(folder) == 0 || errno != EIO;
  ::close(folder);
  if (!durable) errno = EIO;
  return durable;
}

void remove_file(const std::string& path) noexcept { ::unlink(path.c_str()); }

}  // namespace kasuri::platform
