// SPDX-License-Identifier: Apache-2.0
#include "platform/fatal.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace kasuri::platform {
namespace {

// One write(2) of one buffer, so that lines of several threads never mix. The buffer is on the
// stack: the message must get out when memory is exhausted.
void print_line(const char* prefix, const char* format, va_list arguments) {
  char line[1024];
  const std::size_t used = std::strlen(prefix);
  std::memcpy(line, prefix, used);
  const std::size_t room = sizeof line - used;
  const int length = std::vsnprintf(line + used, room, format, arguments);
  const std::size_t end = used + std::min<std::size_t>(length < 0 ? 0 : length, room - 1);
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
  print_line("kasuri: ", format, arguments);
  va_end(arguments);
  // Not exit(): its handlers could wait for workers that wait for the thread that stands here.
  ::_exit(2);
}

void warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line("kasuri: warning: ", format, arguments);
  va_end(arguments);
}

}  // namespace kasuri::platform
