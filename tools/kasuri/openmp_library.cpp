// SPDX-License-Identifier: Apache-2.0
#include "openmp_library.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "elf/object.hpp"
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

// As execvp(3) finds it.
std::string path_of(const std::string& program) {
  const char* const folders = std::getenv("PATH");
  if (program.find('/') != std::string::npos || folders == nullptr) return program;
  const std::string all = folders;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find(':', at), all.size());
    const std::string path = all.substr(at, end - at) + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
    at = end + 1;
  }
  return program;
}

// The runtime of a sanitizer, which refuses to start behind another library: where the program
// names one as a library. Clang's is in the program itself.
std::string sanitizer_of(const std::string& program) {
  try {
    for (const std::string& each : elf::read_object(path_of(program)).needed) {
      if (each.starts_with("libasan.so") || each.starts_with("libtsan.so")) return each;
    }
  } catch (const std::exception&) {
    // A script, or nothing that could start: there is no such runtime.
  }
  return "";
}

}  // namespace

std::string openmp_folder() {
  // As installed, then as in the build tree.
  return folder_beside_command({KASURI_LIBDIR_FROM_BINDIR "/kasuri/omp", "../lib/kasuri/omp"},
                               library);
}

std::string prepend_openmp(const std::string& folder, const std::string& program) {
  if (folder.find_first_of(":;") != std::string::npos) {
    return folder + ": the loader takes no folder with ':' or ';' in its name";
  }
  // LD_PRELOAD cannot hold blanks; there the loader looks the bare name up, in our folder first.
  const bool blank = folder.find_first_of(" \t\n") != std::string::npos;
  prepend("LD_LIBRARY_PATH", folder);
  const std::string ours = blank ? library : folder + "/" + library;
  const std::string first = sanitizer_of(program);
  prepend("LD_PRELOAD", first.empty() ? ours : first + ":" + ours);
  return "";
}

}  // namespace kasuri::command
