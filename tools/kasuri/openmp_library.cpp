// SPDX-License-Identifier: Apache-2.0
#include "openmp_library.hpp"

#include <cstdlib>

#include "program.hpp"

namespace kasuri::command {
namespace {

constexpr const char* library = "libgomp.so.1";

// Twice the same in front, as of `kasuri run` within `kasuri run`, would only make lists long.
void prepend(const char* name, const std::string& entry) {
  const char* value = std::getenv(name);
  const std::string before = value == nullptr ? "" : value;
  if (before == entry || before.starts_with(entry + ":")) {
    return;
  }
  // An empty entry would mean the current folder.
  ::setenv(name, (before.empty() ? entry : entry + ":" + before).c_str(), 1);
}

}  // namespace

std::string openmp_folder() {
  // As installed, then as in the build tree.
  return folder_beside_command({KASURI_LIBDIR_FROM_BINDIR "/kasuri/omp", "../lib/kasuri/omp"}, library);
}

std::string prepend_openmp(const std::string& folder) {
  if (folder.find_first_of(":;") != std::string::npos) {
    return folder + ": the loader takes no folder with ':' or ';' in its name";
  }
  // LD_PRELOAD cannot hold blanks; there the loader looks the bare name up, in our folder first.
  const bool blank = folder.find_first_of(" \t\n") != std::string::npos;
  prepend("LD_LIBRARY_PATH", folder);
  prepend("LD_PRELOAD", blank ? library : folder + "/" + library);
  return "";
}

}  // namespace kasuri::command
