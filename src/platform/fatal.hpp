// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::platform {

/// Prints "kasuri: " and the printf-style message as one line on stderr and ends the process with
/// status 2. Callable from any thread and any stack.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char* format, ...);

/// Prints "kasuri: warning: " and the printf-style message as one line on stderr.
[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...);

}  // namespace kasuri::platform
