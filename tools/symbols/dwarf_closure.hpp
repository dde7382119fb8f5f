// SPDX-License-Identifier: Apache-2.0
// The user's closure in the types of Kasuri that hold it.
#pragma once

#include <elfutils/libdw.h>

#include <optional>

#include "symbols/lines.hpp"

namespace kasuri::symbols {

/// Where the class with a call operator is written that `type` is or holds, by its arguments as a
/// template or by its members: the first that is the user's.
std::optional<source_line> closure_in(Dwarf_Die type);

}  // namespace kasuri::symbols
