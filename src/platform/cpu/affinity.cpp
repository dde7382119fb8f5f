// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/affinity.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

bool read_mask_of(int thread_id, cpu_mask& mask) noexcept {
  return sched_getaffinity(thread_id, sizeof mask.bits, mask.bits) == 0;
}

bool set_mask_of(int thread_id, const cpu_mask& mask) noexcept {
  return sched_setaffinity(thread_id, sizeof mask.bits, mask.bits) == 0;
}

bool read_status_of(int thread_id, thread_status& status) noexcept {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread_id);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char line[1024];
  const ssize_t got = read(file, line, sizeof line - 1);
  close(file);
  if (got <= 0) return false;
  line[got] = '\0';
  // "number (name) state ...": the name may hold anything, so from its last parenthesis on.
  const char* at = std::strrchr(line, ')');
  if (at == nullptr || at[1] != ' ') return false;
  status.state = at[2];
  constexpr int field_of_state = 3;
  constexpr int field_of_start = 22;
  constexpr int field_of_cpu = 39;
  ++at;
  for (int field = field_of_state; field <= field_of_cpu; ++field) {
    if (field == field_of_start) status.started = std::strtoull(at, nullptr, 10);
    if (field == field_of_cpu) status.cpu = std::atoi(at);
    at = std::strchr(at + 1, ' ');
    if (at == nullptr) return field >= field_of_cpu;
  }
  return true;
}

std::uint64_t clock_ticks_since_boot() noexcept {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  const auto per_second = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  return static_cast<std::uint64_t>(now.tv_sec) * per_second +
         static_cast<std::uint64_t>(now.tv_nsec) * per_second / 1'000'000'000u;
}

void widen_masks_inherited(const cpu_mask& cpus, std::uint64_t since, const cpu_mask& usual,
                           bool (*is_excepted)(int thread_id, const void* arg),
                           const void* arg) noexcept {
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return;
  while (const dirent* const entry = readdir(threads)) {
    const int id = std::atoi(entry->d_name);
    cpu_mask mask;
    thread_status status;
    if (id <= 0 || !read_mask_of(id, mask) || !mask.is_one_of(cpus)) continue;
    if (!read_status_of(id, status) || status.started < since || is_excepted(id, arg)) continue;
    if (!set_mask_of(id, usual)) continue;  // the thread has ended meanwhile
  }
  closedir(threads);
}

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

}  // namespace kasuri::platform
