// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/cpus.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "platform/cpu/quota.hpp"

namespace kasuri::platform {

int present_cpus() { return static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))); }

std::vector<int> affinity_cpus() {
  std::vector<int> cpus;
  // The kernel refuses a mask shorter than its own (EINVAL): grow until it fits.
  for (std::size_t sets = 1; sets <= 64; sets *= 2) {
    std::vector<cpu_set_t> mask(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    CPU_ZERO_S(bytes, mask.data());
    if (::sched_getaffinity(0, bytes, mask.data()) == 0) {
      for (int cpu = 0; cpu < static_cast<int>(bytes * 8); ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, mask.data())) {
          cpus.push_back(cpu);
        }
      }
      return cpus;
    }
    if (errno != EINVAL) {
      break;
    }
  }
  // Only a system-call filter refuses this question: assume what the machine has.
  for (int cpu = 0; cpu < present_cpus(); ++cpu) {
    cpus.push_back(cpu);
  }
  return cpus;
}

int usable_cpus() {
  const auto allowed = static_cast<std::int64_t>(affinity_cpus().size());
  // Asked several times by each process that starts; a quota that changes later changes no pool.
  static const auto quota = read_cpu_quota();
  return static_cast<int>(quota ? std::min(allowed, quota->whole_cpus()) : allowed);
}

}  // namespace kasuri::platform
