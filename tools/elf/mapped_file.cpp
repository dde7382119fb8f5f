// SPDX-License-Identifier: Apache-2.0
#include "elf/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace kasuri::elf {

mapped_file::mapped_file(const std::string& path) {
  // O_NONBLOCK: a pipe that nobody writes must not hold us up.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    throw damaged(std::strerror(errno));
  }
  struct ::stat status{};
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  size_ = regular ? static_cast<std::size_t>(status.st_size) : 0;
  if (size_ != 0) {
    address_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  }
  const int error = errno;
  ::close(file);
  if (!regular) {
    throw damaged("is no regular file");
  }
  if (address_ == MAP_FAILED) {
    throw damaged(std::strerror(error));
  }
}

mapped_file::~mapped_file() {
  if (size_ != 0) {
    ::munmap(address_, size_);
  }
}

bytes mapped_file::content() const {
  return bytes({static_cast<const std::byte*>(address_), size_});
}

}  // namespace kasuri::elf
