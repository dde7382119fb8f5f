// SPDX-License-Identifier: Apache-2.0
#include "omp/profile/own_code.hpp"

#include <link.h>

#include <cstdint>

#include "omp/team/team.hpp"

namespace kasuri::omp::sums {
namespace {

/// Empty where the runtime is a part of the program, as in tests.
struct {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
} own;

int look_at(dl_phdr_info* info, std::size_t, void* within) noexcept {
  const auto wanted = reinterpret_cast<std::uintptr_t>(within);
  for (int i = 0; i != info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || wanted < begin || wanted - begin >= part.p_memsz) continue;
    const bool is_program = info->dlpi_name == nullptr || info->dlpi_name[0] == '\0';
    if (!is_program) own = {begin, begin + part.p_memsz};
    return 1;
  }
  return 0;
}

}  // namespace

void find_own_code() noexcept { dl_iterate_phdr(look_at, reinterpret_cast<void*>(&find_own_code)); }

const void* in_program(const member& m, const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return at >= own.begin && at < own.end ? m.in->tool.site : address;
}

}  // namespace kasuri::omp::sums
