// SPDX-License-Identifier: Apache-2.0
#pragma once

// A range of addresses in which the caller says what is where.

#include <cstddef>
#include <cstdint>
#include <string>

namespace kasuri::platform {

/// Takes [at, at + bytes) for the caller, without memory behind it and without access; at null
/// anywhere. Null where something else is there, or the system refuses.
void* take_addresses(void* at, std::size_t bytes) noexcept;

/// Makes whole pages of a range that was taken readable and writable memory, zero, of small pages.
/// False: the system refuses.
bool open_memory(void* start, std::size_t bytes) noexcept;

/// Takes away what was put there: no access again.
void close_memory(void* start, std::size_t bytes) noexcept;

/// Moves what lies at [from, from + bytes), from open_memory, to [to, to + bytes), likewise, with
/// what it contains; at `from` is fresh memory then. False: not done.
bool move_memory(void* from, std::size_t bytes, void* to) noexcept;

/// Bytes of a regular file that can be read, or -1, with errno saying why: EINVAL where it is none,
/// or does not say beforehand how long it is.
std::int64_t file_bytes(const std::string& path) noexcept;

/// Shows the first `bytes` of a file at `start`, read-only. False: the system refuses.
bool show_file(const std::string& path, void* start, std::size_t bytes) noexcept;

}  // namespace kasuri::platform
