// SPDX-License-Identifier: Apache-2.0
// The twin of lines_dwarf.cpp in a build without libdw.
#include "symbols/lines.hpp"

namespace kasuri::symbols {

std::unique_ptr<lines> read_lines(const std::string&) { return nullptr; }

bool can_read_lines() { return false; }

}  // namespace kasuri::symbols
