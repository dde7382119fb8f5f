// SPDX-License-Identifier: Apache-2.0
#include "platform/process/module_range.hpp"

#include <link.h>

#include <algorithm>

namespace kasuri::platform {
namespace {

struct wanted_range {
  const void* address;
  module_range found;
};

int visit(dl_phdr_info* object, std::size_t, void* result) noexcept {
  auto& wanted = *static_cast<wanted_range*>(result);
  module_range all{UINTPTR_MAX, 0};
  bool held = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    const module_range part{start, start + segment.p_memsz};
    held = held || part.holds(wanted.address);
    all = {std::min(all.begin, part.begin), std::max(all.end, part.end)};
  }
  if (held) wanted.found = all;
  return held ? 1 : 0;
}

}  // namespace

module_range module_range_of(const void* address) noexcept {
  wanted_range wanted{address, {}};
  dl_iterate_phdr(visit, &wanted);
  return wanted.found;
}

}  // namespace kasuri::platform
