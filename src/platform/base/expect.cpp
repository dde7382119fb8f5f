// SPDX-License-Identifier: Apache-2.0
#include "platform/base/expect.hpp"

#include <cstdarg>
#include <cstdio>

#include "platform/base/fatal.hpp"

namespace kasuri::platform {

void expectation_failed(const char* file, int line, const char* condition, const char* state, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, state);
  std::vsnprintf(text, sizeof text, state, arguments);
  va_end(arguments);
  fatal("internal error at %s:%d: expected %s; %s", file, line, condition, text);
}

}  // namespace kasuri::platform
