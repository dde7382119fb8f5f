// SPDX-License-Identifier: Apache-2.0
// A folder that goes away with the test.
#pragma once

#include <unistd.h>  // for getpid

#include <atomic>      // for atomic
#include <filesystem>  // for path
#include <fstream>     // for ifstream
#include <iterator>    // for istreambuf_iterator
#include <string>      // for string

namespace kasuri::test {

class scratch_folder {
 public:
  scratch_folder() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("kasuri-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream from(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

inline void put_contents(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace kasuri::test
