// SPDX-License-Identifier: Apache-2.0
// Names of source files: which are the user's, and how they are shown.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace kasuri::symbols {

/// Whether it belongs to Kasuri's headers, to the standard library or to the system.
bool is_library_file(std::string_view path);

/// Whether code of that file, in a function of that name or inlined into it, is Kasuri's, linked
/// into the program.
bool is_runtime_code(std::string_view function, std::string_view path);

class file_names {
 public:
  explicit file_names(std::string current_folder);

  /// Relative to the current folder where it lies below it, else without its folder; a second file
  /// of the same name gets the folder that it lies in.
  std::string shortened(const std::string& path);

 private:
  std::string current_;
  std::map<std::string, std::string> path_of_;  // by what is shown
  std::map<std::string, std::string> shown_;    // by path
};

}  // namespace kasuri::symbols
