// SPDX-License-Identifier: Apache-2.0
#include "doctor/measuring.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>

namespace kasuri::doctor {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// On x86 the kernel lists what the CPU's counter does; other CPUs have a steady one by design.
bool has_steady_ticks(const std::string& root) {
  std::ifstream file(root + "/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("flags"))
      return line.find(" constant_tsc") != std::string::npos &&
             line.find(" nonstop_tsc") != std::string::npos;
  return true;
}

bool reads_own_stack() {
  int there = 1;
  int here = 0;
  const iovec to{&here, sizeof here};
  const iovec from{&there, sizeof there};
  return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) == sizeof here;
}

bool signal_is_free() {
  struct sigaction now{};
  return ::sigaction(SIGPROF, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == SIG_DFL;
}

bool has_timers() {
  sigevent none{};
  none.sigev_notify = SIGEV_NONE;
  timer_t timer{};
  if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &none, &timer) != 0) return false;
  ::timer_delete(timer);
  return true;
}

int error_of_counters() {
  perf_event_attr cycles{};
  cycles.type = PERF_TYPE_HARDWARE;
  cycles.size = sizeof cycles;
  cycles.config = PERF_COUNT_HW_CPU_CYCLES;
  cycles.exclude_kernel = 1;
  const long counter = ::syscall(SYS_perf_event_open, &cycles, 0, -1, -1, 0);
  if (counter < 0) return errno;
  ::close(static_cast<int>(counter));
  return 0;
}

finding judge_clock(const measuring_seen& seen) {
  if (!seen.steady_ticks)
    return {grade::warning, "clock", "the CPU's counter (tsc) changes its rate or stops",
            "times of the runtime (KASURI_STATS, traces, profiles) are doubtful here"};
  const std::string& source = seen.clock_source;
  if (source.empty()) return {grade::ok, "clock", "the CPU's counter is steady", ""};
  if (source == "tsc" || source == "kvm-clock" || source == "arch_sys_counter" ||
      source.starts_with("hyperv_clocksource_tsc"))
    return {grade::ok, "clock", "the kernel's clock is read from the CPU (" + source + ")", ""};
  return {grade::note, "clock", "each look at the kernel's clock (" + source + ") is a system call",
          "programs that read the time often are slow here"};
}

finding judge_profile(const measuring_seen& seen) {
  const auto lacks = [](const char* what, const char* advice) {
    return finding{grade::warning, "profile", what, advice};
  };
  if (!seen.signal_is_free)
    return lacks("SIGPROF is ignored here: profiles will have no samples",
                 "the parent of this process set it: start from another shell");
  if (!seen.has_timers)
    return lacks("there are no timers for the processor time of a thread: no samples", "");
  if (!seen.reads_calls)
    return lacks(
        "/proc/self/task/*/syscall cannot be read: a profile does not say where threads "
        "sleep",
        "the kernel leaves it out, or a container forbids it");
  if (!seen.reads_stacks)
    return lacks(
        "process_vm_readv is not permitted: a profile does not say who called what "
        "threads sleep in",
        "a container forbids it (seccomp)");
  return {grade::ok, "profile", "samples and places of sleeping threads can be had", ""};
}

finding judge_counters(const measuring_seen& seen) {
  if (seen.counter_error == 0)
    return {grade::ok, "counters", "perf can count cycles and cache misses", ""};
  if (seen.counter_error == EACCES || seen.counter_error == EPERM)
    return {grade::note, "counters",
            "perf may not count cycles and cache misses (kernel.perf_event_paranoid is " +
                (seen.paranoid.empty() ? "not readable" : seen.paranoid) + ")",
            "for perf, not for Kasuri: sysctl -w kernel.perf_event_paranoid=2, or the container's "
            "rights"};
  return {grade::note, "counters",
          std::string("perf has no counters of cycles and cache misses here (") +
              std::strerror(seen.counter_error) + ")",
          "virtual machines often have none; Kasuri needs none"};
}

}  // namespace

findings judge(const measuring_seen& seen) {
  return {judge_clock(seen), judge_profile(seen), judge_counters(seen)};
}

measuring_seen look_at_measuring(const std::string& root) {
  const std::string task = root + "/proc/self/task/" + std::to_string(::gettid());
  return {.clock_source =
              first_line(root + "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
          .steady_ticks = has_steady_ticks(root),
          .reads_calls = !first_line(task + "/syscall").empty(),
          .reads_stacks = reads_own_stack(),
          .signal_is_free = signal_is_free(),
          .has_timers = has_timers(),
          .counter_error = error_of_counters(),
          .paranoid = first_line(root + "/proc/sys/kernel/perf_event_paranoid")};
}

}  // namespace kasuri::doctor
