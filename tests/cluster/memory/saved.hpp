// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tests of files and checkpoints share.

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/vector.hpp"

namespace kasuri::test {

/// A name in the folder for temporary files, of this process alone; no file has it at first and at
/// the end.
class file_name {
 public:
  explicit file_name(const std::string& what)
      : path_(testing::TempDir() + "kasuri-" + std::to_string(::getpid()) + '-' + what) {
    remove();
  }
  file_name(const file_name&) = delete;
  file_name& operator=(const file_name&) = delete;
  ~file_name() { remove(); }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// The names that it has had while it was written, if any are left.
  [[nodiscard]] std::vector<std::string> unfinished() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir()))
      if (entry.path().string().starts_with(path_ + ".writing"))
        found.push_back(entry.path().string());
    return found;
  }

 private:
  void remove() const {
    std::remove(path_.c_str());
    for (const std::string& name : unfinished()) std::remove(name.c_str());
  }
  const std::string path_;
};

inline bool is_there(const std::string& path) {
  struct stat about;
  return ::lstat(path.c_str(), &about) == 0;
}

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// In place: a file that is emptied and written again is brought to the device by some systems.
inline void set_content(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::app);  // makes it
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  out << content << std::flush;
  std::filesystem::resize_file(path, content.size());
}

/// What f() throws, or "nothing".
template <class F>
std::string said_by(F f) {
  try {
    f();
  } catch (const global::error& e) {
    return e.what();
  }
  return "nothing";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Element i of an array, which has a number of its own.
inline std::uint32_t element(std::size_t i, std::uint32_t array) {
  return static_cast<std::uint32_t>(i) * 2654435761U + array;
}

constexpr std::size_t at_once = 700;  // elements: pieces of blocks

/// Each rank writes some of the elements, mostly of other homes.
inline void fill(global::view<std::uint32_t> v, std::uint32_t array, int rank, int ranks) {
  for (std::size_t lo = 0; lo < v.size(); lo += at_once) {
    if (static_cast<int>(lo / at_once % static_cast<std::size_t>(ranks)) != rank) continue;
    const auto part = v.subview(lo, std::min(at_once, v.size() - lo));
    const auto x = global::checkout(part, global::write);
    for (std::size_t i = 0; i != x.size(); ++i) x[i] = element(lo + i, array);
  }
}

/// How many elements are others than fill() has written.
inline std::size_t wrong_in(global::view<const std::uint32_t> v, std::uint32_t array) {
  std::size_t wrong = 0;
  for (std::size_t lo = 0; lo < v.size(); lo += at_once) {
    const auto x = global::checkout(v.subview(lo, std::min(at_once, v.size() - lo)), global::read);
    for (std::size_t i = 0; i != x.size(); ++i) wrong += x[i] != element(lo + i, array) ? 1 : 0;
  }
  return wrong;
}

/// One of several distributions.
constexpr int layouts = 5;
inline global::vector<std::uint32_t> array_of(std::size_t n, int layout, int ranks) {
  switch (layout) {
    case 0:
      return global::vector<std::uint32_t>(n);
    case 1:
      return {n, global::cyclic(1)};
    case 2:
      return {n, global::cyclic(3000)};
    case 3:
      return {n, global::listed(1024, [ranks](std::size_t i) {
                return static_cast<int>((i / 1024 * 7 + 3) % static_cast<std::size_t>(ranks));
              })};
    default:
      return {n, global::listed(2048, [ranks](std::size_t) { return ranks - 1; })};
  }
}

}  // namespace kasuri::test
