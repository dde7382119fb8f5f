// SPDX-License-Identifier: Apache-2.0
// Where the dynamic loader looks for a library, as ld.so(8) has it. Not followed: copies for some
// CPUs only (glibc-hwcaps), which have the same names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elf/loader_cache.hpp"
#include "elf/object.hpp"

namespace kasuri::elf {

struct search_environment {
  std::vector<std::string> library_path;  // of LD_LIBRARY_PATH
  std::vector<std::string> preload;       // of LD_PRELOAD
  loader_cache cache;
};

/// The environment that this process would hand on.
search_environment current_search_environment();

/// The folders of an RPATH or RUNPATH, or of a variable, with $ORIGIN and its kind replaced.
std::vector<std::string> folders(const std::string& path, const std::string& origin,
                                 const char* separators = ":");

/// The file for a name that `chain` asks for: first the object that needs it, then the one that
/// loaded that, up to the program.
std::optional<std::string> find_library(const std::string& name,
                                        const std::vector<const object*>& chain,
                                        const search_environment& environment);

}  // namespace kasuri::elf
