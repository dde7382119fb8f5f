// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that several processes see: files without a name (memfd), known by a descriptor alone, so
// that no two programs can meet by accident and nothing remains when the last process has ended.
// And sleeping on a word in it: futex(2), shared between processes.

#include <cstddef>
#include <cstdint>

namespace kasuri::platform {

/// A new file of `bytes` zero bytes that takes memory only where it is touched, closed at exec. Its
/// descriptor, or -1 with errno.
int create_shared_file(const char* name, std::uint64_t bytes) noexcept;

/// Makes the file longer; false when the system refuses.
bool extend_shared_file(int file, std::uint64_t bytes) noexcept;

/// The file that process `pid` knows as `descriptor`, as a descriptor of this process; -1 where
/// that process or its files cannot be seen from here.
int open_shared_file_of(std::uint32_t pid, int descriptor) noexcept;

/// Maps bytes [offset, offset + bytes) of the file: anywhere, or at `at` in place of what is mapped
/// there. Null when the system refuses.
std::byte* map_shared(int file, std::uint64_t offset, std::size_t bytes,
                      void* at = nullptr) noexcept;

/// New memory of `bytes`, whole pages, all zero, that can be shown again. Null when the system
/// refuses.
void* map_shared(std::size_t bytes) noexcept;

/// Ends a mapping.
void unmap_shared(void* start, std::size_t bytes) noexcept;

/// Gives the memory behind a part of the file back, even where other processes have mapped it.
void discard_shared(int file, std::uint64_t offset, std::uint64_t bytes) noexcept;

/// Shows [start, start + bytes) of a shared mapping, also of one that is not ours, at `at` too, in
/// place of what is mapped there. False where that memory is private to this process.
bool duplicate_mapping(void* start, std::size_t bytes, void* at) noexcept;

/// Sleeps while `word`, in memory shared with other processes, holds `value`, at most so long; may
/// return for no reason. Access the word through std::atomic_ref.
void park_shared(std::uint32_t& word, std::uint32_t value, std::uint64_t nanoseconds) noexcept;

/// Wakes everybody who sleeps on `word`, in whatever process.
void unpark_shared(std::uint32_t& word) noexcept;

}  // namespace kasuri::platform
