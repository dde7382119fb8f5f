// SPDX-License-Identifier: Apache-2.0
#include "platform/thread/os_thread.hpp"

#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "platform/cpu/affinity.hpp"

namespace kasuri::platform {
namespace {

// The signals that the program itself blocks: the mask of the thread that started the pool, before
// it did.
sigset_t mask_of_program;

constexpr int synchronous_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

// Where new threads may run; empty: where their parent may. Big enough for any machine of today.
struct cpu_list {
  bool given = false;
  cpu_set_t set[8] = {};
};
constinit cpu_list cpus_of_new_threads;

std::atomic<bool> refusal_told{false};

/// Adds the bytes of the thread-locals of one module.
int add_thread_locals(dl_phdr_info* module, std::size_t, void* sum) noexcept {
  for (int i = 0; i != module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    if (header.p_type == PT_TLS) *static_cast<std::size_t*>(sum) += header.p_memsz + header.p_align;
  }
  return 0;
}

/// Of all modules that are loaded now. Modules loaded by dlopen count, though most of them have
/// theirs elsewhere: it is address space only.
std::size_t bytes_of_thread_locals() noexcept {
  std::size_t sum = 0;
  dl_iterate_phdr(add_thread_locals, &sum);
  return sum;
}

/// pthread_create with `stack` bytes, 0 for the default, besides what the thread-locals take.
/// EINVAL shows that the C library takes more than we know.
bool create(pthread_t& thread, pthread_attr_t& attributes, std::size_t stack, void* (*main)(void*),
            void* arg) noexcept {
  constexpr std::size_t most = std::size_t{1} << 40;
  if (stack == 0) pthread_attr_getstacksize(&attributes, &stack);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t bytes = (stack + bytes_of_thread_locals() + page - 1) / page * page;
  for (int error = EINVAL; error == EINVAL && bytes < most; bytes *= 2) {
    pthread_attr_setstacksize(&attributes, bytes);
    error = pthread_create(&thread, &attributes, main, arg);
    if (error == 0) return true;
  }
  return false;
}

}  // namespace

void set_cpus_of_new_threads(std::span<const int> cpus) {
  cpu_list& list = cpus_of_new_threads;
  CPU_ZERO_S(sizeof list.set, list.set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), sizeof list.set, list.set);
  list.given = !cpus.empty();
}

bool start_os_thread(pthread_t& thread, void* (*main)(void*), void* arg, const char* name,
                     std::size_t stack) noexcept {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  for (const int synchronous : synchronous_signals) sigdelset(&all, synchronous);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const cpu_list& cpus = cpus_of_new_threads;
  if (cpus.given) pthread_attr_setaffinity_np(&attributes, sizeof cpus.set, cpus.set);
  const bool started = create(thread, attributes, stack, main, arg);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (started) {
    char shortened[16];
    std::snprintf(shortened, sizeof shortened, "%s", name);
    pthread_setname_np(thread, shortened);
  }
  return started;
}

bool first_thread_refused() noexcept {
  return !refusal_told.exchange(true, std::memory_order_relaxed);
}

std::size_t stack_of_new_threads() noexcept {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

void note_signals_of_program() noexcept {
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_of_program);
  for (const int synchronous : synchronous_signals) sigdelset(&mask_of_program, synchronous);
}

void take_signals() noexcept { pthread_sigmask(SIG_SETMASK, &mask_of_program, nullptr); }

bool bind_to_cpu(int cpu) noexcept {
  cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(cpu) + 1);
  if (set == nullptr) return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpu) + 1);
  CPU_ZERO_S(bytes, set);
  CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  const bool bound = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return bound;
}

int thread_id() noexcept { return static_cast<int>(syscall(SYS_gettid)); }

int threads_of_process() noexcept {
  // The kernel counts the folder's links as one for each thread and two.
  struct stat folder{};
  return stat("/proc/self/task", &folder) == 0 && folder.st_nlink > 2
             ? static_cast<int>(folder.st_nlink) - 2
             : 0;
}

void sleep_exactly(std::uint64_t nanoseconds) noexcept {
  constexpr unsigned long slack_ns = 1000;
  thread_local const int asked = prctl(PR_SET_TIMERSLACK, slack_ns);
  static_cast<void>(asked);
  const timespec time{static_cast<time_t>(nanoseconds / 1'000'000'000u),
                      static_cast<long>(nanoseconds % 1'000'000'000u)};
  nanosleep(&time, nullptr);
}

void sleep_until(std::int64_t steady_nanoseconds) noexcept {
  constexpr std::int64_t second = 1'000'000'000;
  const timespec time{static_cast<time_t>(steady_nanoseconds / second),
                      static_cast<long>(steady_nanoseconds % second)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

}  // namespace kasuri::platform
