// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kasuri::report {

/// Writes `text` to the file `to`, or to standard output where that is "-". Throws
/// std::runtime_error with the name of the file and the reason.
void write_file(const std::string& to, const std::string& text);

/// Throws the same where that file cannot be written, as far as it can be told before. Leaves what
/// is there as it is.
void expect_writable(const std::string& to);

}  // namespace kasuri::report
