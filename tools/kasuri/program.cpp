// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "command.hpp"

namespace kasuri::command {

namespace fs = std::filesystem;

std::string folder_beside_command(std::initializer_list<const char*> folders, const char* file) {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* relative : folders) {
    const fs::path folder = fs::weakly_canonical(own / relative, error);
    if (!own.empty() && !error && fs::is_regular_file(folder / file, error)) {
      return folder.string();
    }
  }
  return "";
}

int become(const std::vector<std::string>& words, const char* who, const char* hint) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));  // execvp does not write to them
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  // As a shell's: the name of a file here is looked for in PATH alone.
  const bool is_here = error == ENOENT && words[0].find('/') == std::string::npos &&
                       ::access(words[0].c_str(), F_OK) == 0;
  std::fprintf(stderr, "kasuri: %s: %s: %s%s%s\n", who, arguments[0], std::strerror(error), hint,
               is_here ? "; accepted: a program in PATH, ./ before the name, or an interpreter and "
                         "the name of its script"
                       : "");
  return error == ENOENT || error == ENOTDIR ? status_not_found : status_not_executable;
}

}  // namespace kasuri::command
