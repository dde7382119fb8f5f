// SPDX-License-Identifier: Apache-2.0
// Where Kasuri's OpenMP library is, seen from this command.
#pragma once

#include <string>

namespace kasuri::command {

/// The folder with libgomp.so.1 and its other names; empty: there is none.
std::string openmp_folder();

/// Puts the library in front of what a program would load: LD_LIBRARY_PATH for those that name it,
/// LD_PRELOAD for those that have a copy of their own under another name. Names that were there
/// stay behind it; the runtime of a sanitizer that `program` names goes in front, as it must.
/// Returns what is in the way, as a line; empty: done.
std::string prepend_openmp(const std::string& folder, const std::string& program);

}  // namespace kasuri::command
