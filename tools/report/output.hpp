// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kasuri::report {

/// Writes `text` to the file `to`, or to standard output where that is "-". Throws
/// std::runtime_error with the name of the file and the reason.
void write_file(const std::string& to, const std::string& text);

}  // namespace kasuri::report
