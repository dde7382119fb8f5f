// SPDX-License-Identifier: Apache-2.0
#include "context/overflow.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

#include "context/stack.hpp"
#include "platform/executable.hpp"
#include "platform/fatal.hpp"
#include "platform/memory.hpp"

namespace kasuri::context {
namespace {

constexpr std::size_t alternate_bytes = 64 * 1024;

struct sigaction previous;

void pass_on(int signal, siginfo_t* info, void* context) noexcept {
  if ((previous.sa_flags & SA_SIGINFO) != 0) return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  // The fault happens again on return, and then ends the process.
  ::signal(signal, SIG_DFL);
}

void on_fault(int signal, siginfo_t* info, void* context) noexcept {
  if (const stack* s = stack_overflowed_at(info->si_addr)) {
    char line[200];
    // The record of the stack and its colour take less than a page of what the setting says.
    const std::size_t page = 4096;
    const auto kib = (static_cast<std::size_t>(s->high - s->low) + page - 1) / page * (page / 1024);
    const int n = std::snprintf(line, sizeof line,
                                "kasuri: stack overflow: a task used up its stack of %zu KiB; "
                                "set KASURI_STACK_SIZE to a larger value (16K to 1G)\n",
                                kib);
    if (write(STDERR_FILENO, line, static_cast<std::size_t>(n)) < 0) {
      // nothing better can be done here
    }
    ::signal(signal, SIG_DFL);
    return;
  }
  pass_on(signal, info, context);
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
  if ((previous.sa_flags & SA_SIGINFO) == 0) return;
  const auto* const other = platform::other_holder_of(
      reinterpret_cast<const void*>(previous.sa_sigaction), "kasuri_current_face", &previous);
  if (other != nullptr)
    platform::warn("a second copy of Kasuri starts a pool of its own beside that of %s, so there are twice "
                   "as many workers; link both to libkasuri.so", other);
}

}  // namespace

void catch_stack_overflows() noexcept {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGSEGV, &action, &previous) != 0) return false;
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
