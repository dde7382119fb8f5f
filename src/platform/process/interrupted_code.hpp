// SPDX-License-Identifier: Apache-2.0
// Where a signal has interrupted a thread.
#pragma once

#include <ucontext.h>

#include <cstdint>  // for uintptr_t

namespace kasuri::platform {

struct interrupted_code {
  std::uintptr_t pc = 0;  // the next instruction; 0: not known on this processor
  std::uintptr_t sp = 0;  // the end of its stack
};

/// `context`: the third argument of a handler.
inline interrupted_code interrupted_by(void* context) noexcept {
  [[maybe_unused]] const auto* const c = static_cast<ucontext_t*>(context);
#if defined(__x86_64__)
  return {static_cast<std::uintptr_t>(c->uc_mcontext.gregs[REG_RIP]),
          static_cast<std::uintptr_t>(c->uc_mcontext.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {c->uc_mcontext.pc, c->uc_mcontext.sp};
#else
  return {};
#endif
}

}  // namespace kasuri::platform
