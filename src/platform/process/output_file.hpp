// SPDX-License-Identifier: Apache-2.0
// A file that one process writes from the beginning to the end.
#pragma once

#include <cstddef>  // for size_t
#include <cstdint>  // for uint64_t
#include <span>     // for span
#include <string>   // for string

#include <sys/uio.h>  // for iovec

namespace kasuri::platform {

/// Writes all of it to a file descriptor, across interruptions and short writes. False with errno
/// set when that failed.
bool write_fully(int fd, const void* data, std::size_t bytes) noexcept;

class output_file {
 public:
  enum class open_result {
    opened,
    in_use,  // another process is writing to it
    failed,  // errno says why
  };

  output_file() = default;
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file() { close(); }

  /// Opens the file for writing, empties it and locks it against a second writer until close().
  /// Only a regular file or a character device will do (EINVAL): opening a pipe could block for
  /// ever. Not inherited by programs this process starts.
  open_result open(const std::string& path) noexcept;

  /// Appends the pieces as one whole: when that fails, the file ends where it ended before. False
  /// with errno set then.
  bool append(std::span<const iovec> pieces) noexcept;

  bool is_open() const noexcept { return fd_ >= 0; }
  std::uint64_t size() const noexcept { return size_; }
  void close() noexcept;

 private:
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace kasuri::platform
