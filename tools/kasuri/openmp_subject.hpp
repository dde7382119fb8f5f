// SPDX-License-Identifier: Apache-2.0
// What the user names: a program, a script, or a Python environment.
#pragma once

#include <string>
#include <vector>

namespace kasuri::command {

struct openmp_subject {
  std::string program;                      // the file that the kernel would start in the end
  std::vector<std::string> scripts;         // that lead to it by "#!"
  std::vector<std::string> python_folders;  // where extension modules lie; empty: no Python
};

/// Throws elf::damaged where the name leads to nothing of the kind; its text follows the name.
openmp_subject find_subject(const std::string& name);

/// The folders of modules that belong to an interpreter, by its path; empty where it is none.
std::vector<std::string> python_folders_of(const std::string& interpreter);

/// Every file below those folders that is named like a shared library.
std::vector<std::string> extension_modules(const std::vector<std::string>& folders);

}  // namespace kasuri::command
