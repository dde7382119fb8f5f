// SPDX-License-Identifier: Apache-2.0
#pragma once

// Addresses in the program's code and constants as other processes of the same program can use
// them: the module (the program, a shared library) by a number made of its build id, and the place
// in it. So each process may have its modules elsewhere.

#include <cstdint>
#include <string>

namespace kasuri::cluster {

/// An address within a module as a number that means the same in all processes. Ends the program
/// with a message where it lies in none, or in one that is too large.
std::uint64_t portable_address(const void* at);

/// The other way round. Ends the program with a message that names the module's number where this
/// process has no such module: it runs another build.
const void* local_address(std::uint64_t portable);

/// The number of the program itself: equal where it is the same build.
std::uint32_t program_number();

}  // namespace kasuri::cluster
