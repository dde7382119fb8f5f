// SPDX-License-Identifier: Apache-2.0
#include "platform/affinity.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace kasuri::platform {

bool bind_to_cpus(std::span<const int> cpus) noexcept {
  if (cpus.empty()) return false;
  const auto most = static_cast<std::size_t>(*std::ranges::max_element(cpus)) + 1;
  cpu_set_t* set = CPU_ALLOC(most);
  if (set == nullptr) return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  const bool bound = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return bound;
}

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

}  // namespace kasuri::platform
