// SPDX-License-Identifier: Apache-2.0
// /etc/ld.so.cache: which file the system has for a library's name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "elf/bytes.hpp"

namespace kasuri::elf {

/// Files for each name, in the cache's order.
using loader_cache = std::map<std::string, std::vector<std::string>>;

/// An empty map where there is no cache, or one that is not understood: the loader, too, goes on.
loader_cache read_loader_cache(const std::string& path);

}  // namespace kasuri::elf
