// SPDX-License-Identifier: Apache-2.0
#include "sched/watch/dump_signal.hpp"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/settings/settings.hpp"
#include "sched/watch/dump.hpp"

namespace kasuri::sched {

constinit dump_signal dump_signal::the_only_one;

namespace {

constexpr struct {
  std::string_view name;
  int number;
} signals[] = {{"QUIT", SIGQUIT}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP}};

sem_t asked;
struct sigaction previous;  // the program's own

/// A handler that the program had before is called as well.
void on_signal(int signal, siginfo_t* info, void* context) noexcept {
  const int error = errno;
  sem_post(&asked);
  if ((previous.sa_flags & SA_SIGINFO) != 0)
    previous.sa_sigaction(signal, info, context);
  else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    previous.sa_handler(signal);
  errno = error;
}

/// Once per process: the handler stays, and without the thread it does nothing.
void install(int number) noexcept {
  static const bool installed = [number] {
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(number, nullptr, &previous);
    return sigaction(number, &action, nullptr) == 0;
  }();
  static_cast<void>(installed);
}

}  // namespace

void dump_signal::start() noexcept {
  const std::string_view wanted = platform::current_settings().dump_signal;
  if (has_thread() || wanted == "off") return;
  // It walks stacks and reads symbol tables, which takes some stack of its own.
  constexpr std::size_t stack_bytes = std::size_t{512} << 10;
  sem_init(&asked, 0, 0);
  ends_.store(false, std::memory_order_relaxed);
  if (!platform::start_os_thread(thread_, thread_main, this, "kasuri-dump", stack_bytes)) {
    platform::warn("the system gives no thread for KASURI_DUMP_SIGNAL; there will be no dump");
    return;
  }
  has_thread_.store(true, std::memory_order_relaxed);
  for (const auto& s : signals)
    if (s.name == wanted) install(s.number);
}

void dump_signal::stop() noexcept {
  if (!has_thread()) return;
  ends_.store(true, std::memory_order_relaxed);
  sem_post(&asked);
  pthread_join(thread_, nullptr);
  has_thread_.store(false, std::memory_order_relaxed);
}

void dump_signal::forget_thread() noexcept { has_thread_.store(false, std::memory_order_relaxed); }

void* dump_signal::thread_main(void* self) noexcept {
  const auto& d = *static_cast<dump_signal*>(self);
  for (;;) {
    if (sem_wait(&asked) != 0) continue;
    if (d.ends_.load(std::memory_order_relaxed)) return nullptr;
    dump(STDERR_FILENO);
  }
}

}  // namespace kasuri::sched
