// SPDX-License-Identifier: Apache-2.0
// Names of functions as people write them: without arguments, and lambdas by where they stand.
#pragma once

#include <string>
#include <string_view>

namespace kasuri::symbols {

/// The name of a symbol of the linker. What a compiler made of an OpenMP construct gets the name of
/// the function that it stands in: "main._omp_fn.3" is "main (parallel region)".
std::string readable(const std::string& symbol);

/// The same of a demangled name.
std::string shortened_function(std::string_view demangled);

/// Whether the function, given by its symbol, is what a compiler made of an OpenMP construct.
bool is_outlined(std::string_view symbol);

/// Whether the function, given by its symbol, is Kasuri's.
bool is_of_kasuri(std::string_view symbol);

/// Whether it is a plain name, or one that can be made readable: not all that compilers write can.
bool can_be_read(const std::string& symbol);

/// The closure that a function of Kasuri runs, given by its symbol: "fib::{lambda}" of the frame
/// that holds it; where the user has written none, Kasuri's own. Empty: it is no such function, or
/// the closure has no name.
std::string closure_name(const std::string& symbol);

}  // namespace kasuri::symbols
