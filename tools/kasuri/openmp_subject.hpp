// SPDX-License-Identifier: Apache-2.0
// The subject that the user names: a program, a script, a Python environment; of R its program and
// its packages.
#pragma once

#include <string>
#include <vector>

namespace kasuri::command {

struct openmp_subject {
  std::string program;                       // the file that the kernel would start in the end
  std::vector<std::string> scripts;          // that lead to it by "#!"
  std::vector<std::string> python_folders;   // where extension modules lie; empty: no Python
  std::vector<std::string> module_folders;   // of R's packages, and those that the user names
  std::vector<std::string> library_folders;  // that scripts on the way put into LD_LIBRARY_PATH
};

/// `folders`: further ones, of modules that the program loads by path. Throws elf::damaged where a
/// name leads to nothing of the kind; its text follows `name`.
openmp_subject find_subject(const std::string& name, const std::vector<std::string>& folders = {});

/// The folders of modules that belong to an interpreter, by its path; empty where it is none.
std::vector<std::string> python_folders_of(const std::string& interpreter);

/// Every file below those folders that is named like a shared library.
std::vector<std::string> extension_modules(const std::vector<std::string>& folders);

}  // namespace kasuri::command
