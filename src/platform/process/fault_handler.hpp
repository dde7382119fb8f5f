// SPDX-License-Identifier: Apache-2.0
#pragma once

// A handler of SIGSEGV in front of the one that was there: it looks at a fault first, and passes it
// on.

#include <csignal>

namespace kasuri::platform {

/// One for each handler, and for the life of the process: threads may be in it at any time.
class fault_handler {
 public:
  using function = void (*)(int signal, siginfo_t* info, void* context);

  /// From here on `first` is called, on the thread's alternate stack if it has one. False: the
  /// system refuses.
  [[nodiscard]] bool install(function first) noexcept;
  /// As before. Only if nobody has installed another one since.
  void remove() noexcept;

  /// For `first`, with its own arguments: to the handler before. Without one the fault happens
  /// again when the caller returns, and ends the process. Async-signal-safe.
  void pass_on(int signal, siginfo_t* info, void* context) const noexcept;

  /// The handler before, if it is one that takes three arguments; or null.
  function before() const noexcept {
    return (before_.sa_flags & SA_SIGINFO) != 0 ? before_.sa_sigaction : nullptr;
  }

 private:
  struct sigaction before_{};
};

}  // namespace kasuri::platform
