// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/affinity.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kasuri::platform {

namespace {

/// Reads a file of a thread of this process as text, as far as it fits. False: there is none.
template <std::size_t size>
bool read_file_of(int thread_id, const char* name, char (&text)[size]) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread_id, name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = read(file, text, size - 1);
  close(file);
  text[std::max<ssize_t>(got, 0)] = '\0';
  return got > 0;
}

}  // namespace

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
  char line[1024];
  if (!read_file_of(thread_id, "stat", line)) return false;
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

doing what_thread_does(int thread_id) noexcept {
  // "202 0x7f... 0x80 0x2 ...": the number of the system call in which the thread sleeps, and what
  // it was called with; "-1 ...": it sleeps elsewhere, as where a page is brought; or "running".
  char line[256];
  if (!read_file_of(thread_id, "syscall", line)) {
    thread_status status;
    const bool sleeps =
        read_status_of(thread_id, status) && (status.state == 'S' || status.state == 'D');
    return sleeps ? doing::sleeps : doing::runs;
  }
  if (line[0] == 'r') return doing::runs;
#ifdef __GLIBC__
  long call = 0;
  unsigned long word = 0;
  unsigned long operation = 0;
  unsigned long expected = 0;
  const int found = std::sscanf(line, "%ld %lx %lx %lx", &call, &word, &operation, &expected);
  // glibc's mutexes sleep while the word is 2: locked, and somebody waits (nptl/lowlevellock.h).
  // Those with a time, that inherit priorities or outlive their owner sleep by other operations,
  // as do conditions, semaphores and locks for readers and writers.
  constexpr unsigned long locked_and_waited_for = 2;
  constexpr auto command = static_cast<unsigned long>(FUTEX_CMD_MASK);
  if (found == 4 && call == SYS_futex && (operation & command) == FUTEX_WAIT &&
      expected == locked_and_waited_for)
    return doing::sleeps_for_mutex;
#endif
  return doing::sleeps;
}

std::uint64_t times_slept(int thread_id) noexcept {
  char lines[4096];
  if (!read_file_of(thread_id, "status", lines)) return 0;
  constexpr char field[] = "\nvoluntary_ctxt_switches:";
  const char* const at = std::strstr(lines, field);
  return at == nullptr ? 0 : std::strtoull(at + sizeof field - 1, nullptr, 10);
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
