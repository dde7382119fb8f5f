// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exceptions, in programs that have none too. The public headers catch and rethrow by these words,
// and throw by the functions of throws.hpp.
//
// A program that is compiled with -fno-exceptions cannot catch what the library throws: the
// exception finds no handler, and std::terminate is called. Such a unit tells the library so before
// main begins, which then ends the program with a line that names the reason.

#if defined(__cpp_exceptions)

#define KASURI_TRY try
#define KASURI_CATCH_ALL catch (...)
#define KASURI_RETHROW throw

#else

#define KASURI_TRY if constexpr (true)
#define KASURI_CATCH_ALL else
#define KASURI_RETHROW __builtin_unreachable()

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// From here on an exception of the library that nobody catches ends the program with one line on
/// stderr and status 2; others are left to the terminate handler that was there before. Returns
/// true.
bool end_with_a_line() noexcept;

inline const bool ends_with_a_line = end_with_a_line();

}  // namespace detail
}  // namespace kasuri

#endif
