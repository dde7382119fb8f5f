// SPDX-License-Identifier: Apache-2.0
#include "platform/shared_memory.hpp"

#include <sys/mman.h>

namespace kasuri::platform {

void* map_shared(std::size_t bytes) noexcept {
  void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? nullptr : start;
}

bool show_shared(void* start, std::size_t bytes, void* at) noexcept {
  // An old size of 0 leaves a shared mapping where it is and makes another one of it: mremap(2).
  return mremap(start, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at;
}

void unmap_shared(void* start, std::size_t bytes) noexcept { munmap(start, bytes); }

}  // namespace kasuri::platform
