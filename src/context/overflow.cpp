// SPDX-License-Identifier: Apache-2.0
#include "context/overflow.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "context/attempt.hpp"
#include "context/stack.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/memory.hpp"
#include "platform/process/executable.hpp"
#include "platform/process/fault_handler.hpp"
#include "platform/thread/os_thread.hpp"

// Where the main thread's stack began; of the C library.
extern "C" void* __libc_stack_end;

namespace kasuri::context {
namespace {

constexpr std::size_t alternate_bytes = 64 * 1024;

// No frame that is touched in order is larger.
constexpr std::size_t above_any_frame = std::size_t{32} << 20;

platform::fault_handler faults;

std::uintptr_t stack_pointer(const void* context) noexcept {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RSP]);
#else
  return registers.sp;
#endif
}

// Whether the code that faulted stood on a stack of an OS thread and ran off its end: it touched
// what lies at its stack pointer, and that is no memory. (Stacks of ours are asked first, by
// address.)
bool ran_off_native_stack(std::uintptr_t at, std::uintptr_t pointer) noexcept {
  // A call writes below the pointer; a frame with arrays is first touched somewhere above it.
  constexpr std::uintptr_t below = 256, above = 64 * 1024;
  return at + below >= pointer && at <= pointer + above &&
         !is_on_slab(reinterpret_cast<const void*>(pointer));
}

// Arguments and environment lie above the main thread's first frame and take a quarter at most.
bool is_on_main_stack(std::uintptr_t pointer, rlim_t limit) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(__libc_stack_end);
  return pointer <= begin && begin - pointer <= limit + 2 * above_any_frame;
}

void say(const char* line, int length) noexcept {
  if (length > 0 && write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) {
    // nothing better can be done here
  }
}

void say_task_overflow(const stack& s) noexcept {
  char line[200];
  // The record of the stack and its colour take less than a page of what the setting says.
  const std::size_t page = 4096;
  const auto kib = (static_cast<std::size_t>(s.high - s.low) + page - 1) / page * (page / 1024);
  say(line, std::snprintf(line, sizeof line,
                          "kasuri: stack overflow: a task used up its stack of %zu KiB; "
                          "set KASURI_STACK_SIZE to a larger value (16K to 1G)\n",
                          kib));
}

void say_native_overflow(std::uintptr_t pointer) noexcept {
  char line[200];
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  if (is_on_main_stack(pointer, limit.rlim_cur))
    say(line,
        std::snprintf(line, sizeof line,
                      "kasuri: stack overflow: the main thread used up its stack of %llu KiB; "
                      "enlarge it by `ulimit -s`\n",
                      static_cast<unsigned long long>(limit.rlim_cur / 1024)));
  else
    say(line, std::snprintf(line, sizeof line,
                            "kasuri: stack overflow: thread %d used up its stack; enlarge it by "
                            "pthread_attr_setstacksize or `ulimit -s`\n",
                            platform::thread_id()));
}

void on_fault(int signal, siginfo_t* info, void* context) noexcept {
  leave_attempt();
  const std::uintptr_t pointer = stack_pointer(context);
  if (const stack* s = stack_overflowed_at(info->si_addr)) {
    say_task_overflow(*s);
    ::signal(signal, SIG_DFL);
    return;
  }
  // A positive code: the kernel's, with the address of a fault.
  if (info->si_code > 0 &&
      ran_off_native_stack(reinterpret_cast<std::uintptr_t>(info->si_addr), pointer))
    say_native_overflow(pointer);
  faults.pass_on(signal, info, context);
}

void free_alternate(void* memory) noexcept {
  stack_t off{};
  off.ss_flags = SS_DISABLE;
  sigaltstack(&off, nullptr);
  platform::release(memory, alternate_bytes);
}

pthread_key_t alternate_key() noexcept {
  static const pthread_key_t key = [] {
    pthread_key_t k{};
    pthread_key_create(&k, free_alternate);
    return k;
  }();
  return key;
}

/// Another copy of this library has its handler there already: it has a pool, and this one starts.
void say_if_there_are_two() noexcept {
  const platform::fault_handler::function before = faults.before();
  if (before == nullptr) return;
  const auto* const other = platform::other_holder_of(reinterpret_cast<const void*>(before),
                                                      "kasuri_current_face", &faults);
  if (other != nullptr)
    platform::warn(
        "a second copy of Kasuri starts a pool of its own beside that of %s, so there are twice "
        "as many workers; link both to libkasuri.so",
        other);
}

}  // namespace

void catch_stack_overflows() noexcept {
  static const bool installed = [] {
    if (!faults.install(on_fault)) return false;
    say_if_there_are_two();
    return true;
  }();
  static_cast<void>(installed);
  alternate_key();
}

void prepare_thread_for_overflows() noexcept {
  if (pthread_getspecific(alternate_key()) != nullptr) return;
  stack_t now{};
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  void* memory = platform::reserve(alternate_bytes);
  if (memory == nullptr) return;
  stack_t alternate{};
  alternate.ss_sp = memory;
  alternate.ss_size = alternate_bytes;
  sigaltstack(&alternate, nullptr);
  pthread_setspecific(alternate_key(), memory);
}

}  // namespace kasuri::context
