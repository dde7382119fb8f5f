// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/features.hpp"

#include <linux/membarrier.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>

#include "platform/memory/memory.hpp"

namespace kasuri::platform {
namespace {

bool has_membarrier() {
  const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
}

bool has_fsgsbase() {
#if defined(__x86_64__)
  constexpr unsigned long hwcap2_fsgsbase = 1UL << 1;  // Linux 5.9
  return (::getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;
#else
  return false;
#endif
}

bool has_guard_install() {
  constexpr int madv_guard_install = 102;  // Linux 6.13; younger than the C library's headers
  const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    return false;
  }
  const bool works = advice_is_checked() && ::madvise(page, bytes, madv_guard_install) == 0;
  ::munmap(page, bytes);
  return works;
}

// The kernel marks the mode in force: "always [madvise] never".
std::string huge_page_mode() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  for (std::string word; file >> word;) {
    if (word.front() == '[' && word.back() == ']') {
      return word.substr(1, word.size() - 2);
    }
  }
  return "none";
}

}  // namespace

features probe_features() {
  return {has_membarrier(), has_fsgsbase(), has_guard_install(), huge_page_mode()};
}

}  // namespace kasuri::platform
