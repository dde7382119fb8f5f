// SPDX-License-Identifier: Apache-2.0
// Kasuri comes in two shared libraries, its own and the OpenMP runtime, which holds all of it too:
// so a program that kasuri run starts has both, and the loader binds each name to whichever comes
// first. That is right where both are of one build, and at no price here: only in these libraries,
// at load.

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

// Written by cmake/build_word.cmake, with the word that others find too.
extern "C" [[gnu::visibility("hidden")]] const char kasuri_own_build_word[17];

namespace {

const char* file_of(const void* address) {
  Dl_info info{};
  return ::dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "a program";
}

[[gnu::constructor]] void expect_one_build() {
  const auto* first = static_cast<const char*>(::dlsym(RTLD_DEFAULT, "kasuri_build_word"));
  if (first == nullptr || std::strcmp(first, kasuri_own_build_word) == 0) return;
  char line[1024];
  const int length = std::snprintf(
      line, sizeof line,
      "kasuri: %s and %s are of two builds of Kasuri; accepted: one build in a process (build or "
      "install both, or start the program without kasuri run, or with --no-openmp)\n",
      file_of(first), file_of(kasuri_own_build_word));
  if (length > 0 && ::write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) ::_exit(2);
  ::_exit(2);
}

}  // namespace
