// SPDX-License-Identifier: Apache-2.0
// A file whose places several processes write and read, each its own.
#pragma once

#include <cstddef>  // for size_t
#include <cstdint>  // for uint64_t
#include <string>   // for string

namespace kasuri::platform {

/// What fails returns false, with errno set. One thread at a time.
class placed_file {
 public:
  placed_file() = default;
  placed_file(const placed_file&) = delete;
  placed_file& operator=(const placed_file&) = delete;
  ~placed_file() { close(); }

  /// A new file of so many bytes, for writing; EEXIST where one has the name. Who may read it is
  /// who may read `replaced`, where that is a regular file. False: none has been made.
  bool create(const std::string& path, std::uint64_t bytes, const std::string& replaced) noexcept;
  /// The file that create() has made, maybe in another process, for writing its `bytes` bytes.
  bool open_to_write(const std::string& path, std::uint64_t bytes) noexcept;
  /// A regular file, for reading. EINVAL: it is none.
  bool open_to_read(const std::string& path) noexcept;

  /// The size of a file that was opened for reading.
  std::uint64_t bytes() const noexcept { return bytes_; }

  /// At bytes [at, at + bytes), which lie inside of the file's size.
  bool write(const void* data, std::size_t bytes, std::uint64_t at) noexcept;
  /// Likewise. ENODATA: the file has become shorter.
  bool read(void* data, std::size_t bytes, std::uint64_t at) noexcept;

  /// What was written by this process survives a failure of the machine when this returns.
  bool make_durable() noexcept;
  /// False where the system tells only now that something could not be written.
  bool close() noexcept;

 private:
  int fd_ = -1;
  std::uint64_t bytes_ = 0;
};

/// Whether a regular file can get this name: nothing has it, or a regular file or a link, which is
/// replaced. False with errno: EEXIST where something else has it.
bool may_be_file(const std::string& path) noexcept;

/// Gives the file `from` the name `to`, which another file may have had until then. That one's
/// permissions go over to it, where it was a regular file; its owner and group do not.
bool rename_file(const std::string& from, const std::string& to) noexcept;

/// What names the folder of `path` has survives a failure of the machine when this returns, if the
/// system can make it so. False where it tells that this has failed (EIO).
bool make_name_durable(const std::string& path) noexcept;

/// Removes a file; nothing where there is none.
void remove_file(const std::string& path) noexcept;

}  // namespace kasuri::platform
