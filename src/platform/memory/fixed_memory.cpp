// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/fixed_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace kasuri::platform {
namespace {

constexpr int anywhere = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

}  // namespace

void* take_addresses(void* at, std::size_t bytes) noexcept {
  const int there = at == nullptr ? 0 : MAP_FIXED_NOREPLACE;
  void* start = mmap(at, bytes, PROT_NONE, anywhere | there, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  if (at == nullptr || start == at) return start;
  munmap(start, bytes);  // a kernel from before 4.17 takes the address for a hint
  return nullptr;
}

bool open_memory(void* start, std::size_t bytes) noexcept {
  if (mmap(start, bytes, PROT_READ | PROT_WRITE, anywhere | MAP_FIXED, -1, 0) == MAP_FAILED)
    return false;
  madvise(start, bytes, MADV_NOHUGEPAGE);  // else the first byte would bring 2 MB of zeros
  return true;
}

void close_memory(void* start, std::size_t bytes) noexcept {
  mmap(start, bytes, PROT_NONE, anywhere | MAP_FIXED, -1, 0);
}

bool move_memory(void* from, std::size_t bytes, void* to) noexcept {
  constexpr int dont_unmap = 4;  // in linux/mman.h since 5.7
  // By its number, for the reason given at duplicate_mapping.
  const long result =
      ::syscall(SYS_mremap, from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | dont_unmap, to);
  return result == static_cast<long>(reinterpret_cast<std::uintptr_t>(to));
}

std::int64_t file_bytes(const std::string& path) noexcept {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // no waiting for a pipe
  if (file < 0) return -1;
  struct stat about;
  std::int64_t bytes = -1;
  if (fstat(file, &about) == 0) {
    // A file that is made as it is read, as below /proc, says that it is empty.
    char first;
    const bool whole = S_ISREG(about.st_mode) && (about.st_size != 0 || read(file, &first, 1) == 0);
    if (whole) bytes = about.st_size;
    if (!whole) errno = EINVAL;
  }
  close(file);
  return bytes;
}

bool show_file(const std::string& path, void* start, std::size_t bytes) noexcept {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  void* shown = mmap(start, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
  close(file);
  return shown != MAP_FAILED;
}

}  // namespace kasuri::platform
