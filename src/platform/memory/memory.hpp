// SPDX-License-Identifier: Apache-2.0
#pragma once

// Address space: reserved at once, touched as used.

#include <cstddef>

namespace kasuri::platform {

/// Bytes of a page.
std::size_t page_size() noexcept;

/// Reserves `bytes` of zeroed, writable address space without committing memory; page-aligned.
/// Null when the system refuses.
void* reserve(std::size_t bytes) noexcept;

/// The most address space that the user lets this process have (ulimit -v); SIZE_MAX without a
/// limit.
std::size_t address_space_limit() noexcept;

/// Gives `reserve`d address space back.
void release(void* start, std::size_t bytes) noexcept;

/// As reserve, never backed by huge pages: each stack in it touches a few small ones. Executable
/// where the program or a library asks for executable stacks: compilers put code on them, for the
/// address of a procedure within another one in Fortran and GNU C.
void* reserve_for_stacks(std::size_t bytes) noexcept;

/// Whether the system refuses advice that it does not know. Some emulators say yes to everything,
/// and so to guard markers that they do not make.
bool advice_is_checked() noexcept;

/// Makes the page at `start` fault on access by a guard marker, which leaves the mapping in one
/// piece. False: the kernel has none (before Linux 6.13), or none for locked memory.
bool mark_guard(void* start, std::size_t bytes) noexcept;

/// The same by page protection, which cuts the mapping: a page in the middle of one makes it three.
/// False when the system refuses: the process has too many mappings (vm.max_map_count).
bool protect_guard(void* start, std::size_t bytes) noexcept;

/// By whichever there is.
bool install_guard(void* start, std::size_t bytes) noexcept;

/// Puts memory behind [start, start + bytes), of whole pages, which is about to be written, in one
/// call instead of a fault a page.
void populate(void* start, std::size_t bytes) noexcept;

/// Gives the memory behind [start, start + bytes) back; it reads as zero afterwards.
void discard(void* start, std::size_t bytes) noexcept;

}  // namespace kasuri::platform
