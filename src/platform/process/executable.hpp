// SPDX-License-Identifier: Apache-2.0
// The identity of this program and of this process.
#pragma once

#include <cstddef>  // for byte
#include <cstdint>  // for uint32_t
#include <span>     // for span

namespace kasuri::platform {

/// The linker's build id of the running program (not of a library), empty if it has none. It tells
/// whether a binary at hand is the one that made a recording. Lives as long as the process.
std::span<const std::byte> build_id() noexcept;

/// The same of the program or library that holds the code or data at `address`.
std::span<const std::byte> build_id_of(const void* address) noexcept;

/// Keeps the program or library that holds the code or data at `address` loaded for as long as the
/// process lives, even if another part of the program closes it (dlclose).
void keep_loaded(const void* address) noexcept;

/// The file of the program or library that holds the code at `address`, where it shows `symbol` and
/// is not the one that holds `mine`; else null. Lives as long as that object is loaded.
const char* other_holder_of(const void* address, const char* symbol, const void* mine) noexcept;

/// The program's file name without folders, as it was started.
const char* program_name() noexcept;

/// The process id; another one after fork().
std::uint32_t process_id() noexcept;

}  // namespace kasuri::platform
