// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/memory.hpp"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace kasuri::platform {
namespace {

// In linux/mman.h since 6.13; older headers lack the name, newer kernels have the call.
constexpr int madv_guard_install = 102;
// In linux/mman.h since 5.14.
constexpr int madv_populate_write = 23;

/// Whether the object was linked for executable stacks.
int wants_executable_stacks(dl_phdr_info* object, std::size_t, void*) noexcept {
  for (int i = 0; i != object->dlpi_phnum; ++i)
    if (object->dlpi_phdr[i].p_type == PT_GNU_STACK)
      return (object->dlpi_phdr[i].p_flags & PF_X) != 0 ? 1 : 0;
  return 0;
}

}  // namespace

std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t address_space_limit() noexcept {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? static_cast<std::size_t>(limit.rlim_cur) : SIZE_MAX;
}

void* reserve(std::size_t bytes) noexcept {
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? nullptr : start;
}

void release(void* start, std::size_t bytes) noexcept { munmap(start, bytes); }

void* reserve_for_stacks(std::size_t bytes) noexcept {
  void* start = reserve(bytes);
  if (start == nullptr) return nullptr;
  madvise(start, bytes, MADV_NOHUGEPAGE);
  // As the C library does for its threads. Where the system refuses they are as elsewhere.
  if (dl_iterate_phdr(wants_executable_stacks, nullptr) != 0)
    static_cast<void>(mprotect(start, bytes, PROT_READ | PROT_WRITE | PROT_EXEC));
  return start;
}

bool advice_is_checked() noexcept {
  // Not a local static: a child forked while another thread makes that would wait for it for ever.
  constinit static std::atomic<int> known{-1};
  int checked = known.load(std::memory_order_relaxed);
  if (checked < 0) known.store(checked = madvise(nullptr, 0, -1) != 0, std::memory_order_relaxed);
  return checked != 0;
}

bool mark_guard(void* start, std::size_t bytes) noexcept {
  return advice_is_checked() && madvise(start, bytes, madv_guard_install) == 0;
}

bool protect_guard(void* start, std::size_t bytes) noexcept {
  return mprotect(start, bytes, PROT_NONE) == 0;
}

bool install_guard(void* start, std::size_t bytes) noexcept {
  return mark_guard(start, bytes) || protect_guard(start, bytes);
}

void populate(void* start, std::size_t bytes) noexcept {
  madvise(start, bytes, madv_populate_write);  // where the kernel does not know it, faults do it
}

void discard(void* start, std::size_t bytes) noexcept { madvise(start, bytes, MADV_DONTNEED); }

}  // namespace kasuri::platform
