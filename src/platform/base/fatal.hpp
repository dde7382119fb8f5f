// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kasuri::platform {

/// Prints "kasuri: " and the printf-style message as one line on stderr and ends the process with
/// status 2. Callable from any thread and any stack.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char* format, ...);

/// From now on fatal() has its message (without the prefix and the end of the line) said by `say`,
/// which is to get it out as one line, or to keep quiet where another process of the same job has
/// said why the job ends. Null: by itself, as at first.
/// @par Thread-safety: any thread.
void say_fatal_by(void (*say)(std::string_view message)) noexcept;

/// Prints "kasuri: warning: " and the printf-style message as one line on stderr.
[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...);

}  // namespace kasuri::platform
