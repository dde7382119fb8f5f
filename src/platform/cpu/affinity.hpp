// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where an OS thread may run.

#include <sched.h>

#include <cstdint>
#include <span>
#include <string>

namespace kasuri::platform {

/// Binds the calling thread to these CPUs of the kernel's numbering; false when refused.
bool bind_to_cpus(std::span<const int> cpus) noexcept;

/// A set of CPUs of the kernel's numbering, large enough for any machine of today.
struct cpu_mask {
  cpu_set_t bits[8] = {};
  static constexpr int most = 8 * CPU_SETSIZE;

  int count() const noexcept { return CPU_COUNT_S(sizeof bits, bits); }
  bool has(int cpu) const noexcept {
    return CPU_ISSET_S(static_cast<std::size_t>(cpu), sizeof bits, bits);
  }
  void add(int cpu) noexcept { CPU_SET_S(static_cast<std::size_t>(cpu), sizeof bits, bits); }
  bool is_only(int cpu) const noexcept { return count() == 1 && has(cpu); }
  bool is_one_of(const cpu_mask& cpus) const noexcept {
    cpu_mask both;
    CPU_AND_S(sizeof bits, both.bits, bits, cpus.bits);
    return count() == 1 && both.count() == 1;
  }
};

/// Reads where the thread with the kernel's number `thread_id` may run. False: there is no such
/// thread.
[[nodiscard]] bool read_mask_of(int thread_id, cpu_mask& mask) noexcept;
/// Says where that thread may run. False when refused.
[[nodiscard]] bool set_mask_of(int thread_id, const cpu_mask& mask) noexcept;

/// The state of a thread of this process as /proc has it.
struct thread_status {
  char state = '?';           // R runs or is ready; S and D: sleeps in the kernel
  int cpu = -1;               // on which it runs, or ran last
  std::uint64_t started = 0;  // clock ticks (sysconf(_SC_CLK_TCK)) since the machine's start
};

/// False: there is no such thread, or nobody knows.
[[nodiscard]] bool read_status_of(int thread_id, thread_status& status) noexcept;

/// What a thread of this process does.
enum class doing {
  runs,              // or is ready to, or is gone
  sleeps_for_mutex,  // of the C library; or for a word of the program that has the same value
  sleeps,            // for something else, or nobody knows for what
};
[[nodiscard]] doing what_thread_does(int thread_id) noexcept;

/// How often that thread has gone to sleep of its own accord since it began; 0 where nobody knows.
[[nodiscard]] std::uint64_t times_slept(int thread_id) noexcept;

/// Now, in the unit of thread_status::started.
std::uint64_t clock_ticks_since_boot() noexcept;

/// Gives each thread of this process that started at `since` or later and may run on one of `cpus`
/// alone the mask `usual` instead: it has inherited the other one. `is_excepted(id, arg)` names
/// threads to be left alone.
void widen_masks_inherited(const cpu_mask& cpus, std::uint64_t since, const cpu_mask& usual,
                           bool (*is_excepted)(int thread_id, const void* arg),
                           const void* arg) noexcept;

/// The name of this machine.
std::string host_name();

}  // namespace kasuri::platform
