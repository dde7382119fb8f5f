// SPDX-License-Identifier: Apache-2.0
// Files that the kernel makes when they are read: /proc, /sys.
#pragma once

#include <cstddef>  // for size_t
#include <string>   // for string

namespace kasuri::platform {

/// The text of such a file, `most` bytes of it at most, by one read; empty where it cannot be read.
std::string text_of_small_file(const char* path, std::size_t most = 4096);

}  // namespace kasuri::platform
