// SPDX-License-Identifier: Apache-2.0
// Which program this is.
#pragma once

#include <cstddef>  // for byte
#include <span>     // for span

namespace kasuri::platform {

/// The linker's build id of the running program (not of a library), empty if it has none. It tells
/// whether a binary at hand is the one that made a recording. Lives as long as the process.
std::span<const std::byte> build_id() noexcept;

/// The program's file name without folders, as it was started.
const char* program_name() noexcept;

}  // namespace kasuri::platform
