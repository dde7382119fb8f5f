// SPDX-License-Identifier: Apache-2.0
#include "platform/process/fault_handler.hpp"

namespace kasuri::platform {

bool fault_handler::install(function first) noexcept {
  struct sigaction action{};
  action.sa_sigaction = first;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSEGV, &action, &before_) == 0;
}

void fault_handler::remove() noexcept { sigaction(SIGSEGV, &before_, nullptr); }

void fault_handler::pass_on(int signal, siginfo_t* info, void* context) const noexcept {
  if (before() != nullptr) return before_.sa_sigaction(signal, info, context);
  if (before_.sa_handler != SIG_DFL && before_.sa_handler != SIG_IGN)
    return before_.sa_handler(signal);
  ::signal(signal, SIG_DFL);
}

}  // namespace kasuri::platform
