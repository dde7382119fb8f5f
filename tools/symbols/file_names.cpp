// SPDX-License-Identifier: Apache-2.0
#include "symbols/file_names.hpp"

#include <algorithm>

#include "symbols/part_of_text.hpp"

namespace kasuri::symbols {
bool is_library_file(std::string_view path) {
  constexpr std::string_view begins[] = {"/usr/include/", "/usr/lib/", "/usr/lib64/",
                                         "/usr/libx32/",  "/lib/",     "/lib64/"};
  constexpr std::string_view parts[] = {"/include/kasuri/", "/include/c++/", "/lib/gcc/",
                                        "/lib/clang/", "/libstdc++-v3/"};
  return std::ranges::any_of(begins, [path](auto b) { return path.starts_with(b); }) ||
         std::ranges::any_of(parts, [path](auto p) { return has(path, p); });
}

bool is_runtime_code(std::string_view function, std::string_view path) {
  constexpr std::string_view floors[] = {"platform", "numa", "context", "record", "profile",
                                         "sched",    "task", "omp",     "cluster"};
  const bool named = function.starts_with("kasuri::") || function.starts_with("kasuri_");
  return named && std::ranges::any_of(floors, [path](auto floor) {
           return has(path, "/src/" + std::string(floor) + "/");
         });
}

file_names::file_names(std::string current_folder) : current_(std::move(current_folder)) {
  if (!current_.ends_with('/')) current_ += '/';
}

std::string file_names::shortened(const std::string& path) {
  if (const auto known = shown_.find(path); known != shown_.end()) return known->second;
  std::size_t begin =
      path.starts_with(current_) && current_ != "/" ? current_.size() : path.rfind('/') + 1;
  // One folder more for each other file that is shown so.
  while (begin > 1 && path_of_.contains(path.substr(begin))) {
    const std::size_t slash = path.rfind('/', begin - 2);
    begin = slash == std::string::npos ? 0 : slash + 1;
  }
  const std::string shown = path.substr(begin);
  path_of_.emplace(shown, path);
  shown_.emplace(path, shown);
  return shown;
}

}  // namespace kasuri::symbols
