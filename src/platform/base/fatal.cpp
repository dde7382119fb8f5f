// SPDX-License-Identifier: Apache-2.0
#include "platform/base/fatal.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace kasuri::platform {
namespace {

using sayer = void (*)(std::string_view);
constinit std::atomic<sayer> fatal_sayer{nullptr};

// One write(2) of one buffer, so that lines of several threads never mix. The buffer is on the
// stack: the message must get out when memory is exhausted.
void print_line(const char* prefix, const char* format, va_list arguments, sayer say = nullptr) {
  char line[1024];
  const std::size_t used = std::strlen(prefix);
  std::memcpy(line, prefix, used);
  const std::size_t room = sizeof line - used;
  const int length = std::vsnprintf(line + used, room, format, arguments);
  const std::size_t end = used + std::min<std::size_t>(length < 0 ? 0 : length, room - 1);
  if (say != nullptr) return say({line + used, end - used});
  line[end] = '\n';  // in place of the terminating zero
  if (::write(STDERR_FILENO, line, end + 1) < 0) {
    return;  // stderr is closed: there is nobody left to tell
  }
}

}  // namespace

void fatal(const char* format, ...) {
  // Two threads may find out at once; one line is enough.
  constinit static std::atomic<bool> said{false};
  while (said.exchange(true, std::memory_order_relaxed)) ::pause();
  va_list arguments;
  va_start(arguments, format);
  // acquire: pairs with say_fatal_by
  print_line("kasuri: ", format, arguments, fatal_sayer.load(std::memory_order_acquire));
  va_end(arguments);
  // Not exit(): its handlers could wait for workers that wait for the thread that stands here.
  ::_exit(2);
}

void say_fatal_by(void (*say)(std::string_view message)) noexcept {
  fatal_sayer.store(say, std::memory_order_release);  // pairs with the load in fatal
}

void warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line("kasuri: warning: ", format, arguments);
  va_end(arguments);
}

}  // namespace kasuri::platform
