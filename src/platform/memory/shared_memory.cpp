// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/shared_memory.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <limits>

#include "platform/base/futex.hpp"

namespace kasuri::platform {
namespace {

bool fits_file(std::uint64_t bytes) {
  return bytes <= static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
}

}  // namespace

int create_shared_file(const char* name, std::uint64_t bytes) noexcept {
  // By its number: valgrind and old C libraries know the call no other way.
  const int file = static_cast<int>(::syscall(SYS_memfd_create, name, MFD_CLOEXEC));
  if (file >= 0 && !extend_shared_file(file, bytes)) {
    const int reason = errno;
    ::close(file);
    errno = reason;
    return -1;
  }
  return file;
}

bool extend_shared_file(int file, std::uint64_t bytes) noexcept {
  return fits_file(bytes) && ::ftruncate(file, static_cast<off_t>(bytes)) == 0;
}

int open_shared_file_of(std::uint32_t pid, int descriptor) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%u/fd/%d", pid, descriptor);
  return ::open(path, O_RDWR | O_CLOEXEC);
}

std::byte* map_shared(int file, std::uint64_t offset, std::size_t bytes, void* at) noexcept {
  const int flags = MAP_SHARED | MAP_NORESERVE | (at == nullptr ? 0 : MAP_FIXED);
  void* start = ::mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file, static_cast<off_t>(offset));
  return start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
}

void* map_shared(std::size_t bytes) noexcept {
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? nullptr : start;
}

void unmap_shared(void* start, std::size_t bytes) noexcept { ::munmap(start, bytes); }

void discard_shared(int file, std::uint64_t offset, std::uint64_t bytes) noexcept {
  // A refusal costs memory, not correctness.
  [[maybe_unused]] const int result =
      ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                  static_cast<off_t>(bytes));
}

bool duplicate_mapping(void* start, std::size_t bytes, void* at) noexcept {
  // An old size of zero asks for a second mapping of the same pages; private ones are refused. By
  // its number: UCX, which MPICH uses, puts a function in the place of mremap that drops the last
  // argument.
  const auto result = ::syscall(SYS_mremap, start, 0ul, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at);
  return result == static_cast<long>(reinterpret_cast<std::uintptr_t>(at));
}

void park_shared(std::uint32_t& word, std::uint32_t value, std::uint64_t nanoseconds) noexcept {
  futex_for(word, FUTEX_WAIT, value, nanoseconds);
}

void unpark_shared(std::uint32_t& word) noexcept { futex(word, FUTEX_WAKE, INT_MAX); }

}  // namespace kasuri::platform
