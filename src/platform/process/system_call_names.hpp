// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::platform {

/// The function of the C library by which programs make that system call of this processor's
/// numbering, as "read()"; "a system call" for those that programs seldom wait in.
const char* system_call_name(long number) noexcept;

}  // namespace kasuri::platform
