// SPDX-License-Identifier: Apache-2.0
#include "context/attempt.hpp"

#include <setjmp.h>

namespace kasuri::context {
namespace {

thread_local constinit sigjmp_buf* way_back = nullptr;

}  // namespace

bool attempt(void (*look)(void* arg), void* arg) noexcept {
  sigjmp_buf here;
  way_back = &here;
  const bool faulted = sigsetjmp(here, 1) != 0;
  if (!faulted) look(arg);
  way_back = nullptr;
  return !faulted;
}

void leave_attempt() noexcept {
  if (way_back != nullptr) siglongjmp(*way_back, 1);
}

}  // namespace kasuri::context
