// SPDX-License-Identifier: Apache-2.0
// The program and the libraries that are mapped, with what it takes to find their symbols later;
// and which of them are the program's own, as opposed to the system's and ours.
#pragma once

#include <cstddef>  // for size_t
#include <cstdint>  // for uintptr_t

namespace kasuri::profile {

class json;

/// Looks which are mapped now. The watcher's thread; first of all once at the start.
void note_modules();

/// The code that stands at `pc`, or, if that is in a library of the system or of ours, the nearest
/// address of the program's own code that is on the stack above `sp`, where a call returns to (less
/// one, so that it lies in the call); else `pc`. In a signal handler of the thread itself.
std::uintptr_t place_in_program(std::uintptr_t pc, std::uintptr_t sp) noexcept;

/// The same for a copy of `words` words of another thread's stack; 0: there is no such address.
std::uintptr_t caller_among(const std::uintptr_t* stack, std::size_t words) noexcept;

/// Whether code of this library stands nearer to the stack's end than any of the program's: it is
/// the runtime that waits there. False where Kasuri is part of the program's own file.
bool runtime_called(const std::uintptr_t* stack, std::size_t words) noexcept;

/// All that have ever been mapped: path, base, range of code, build id.
void write_modules(json& to);

}  // namespace kasuri::profile
