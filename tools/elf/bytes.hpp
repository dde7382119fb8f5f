// SPDX-License-Identifier: Apache-2.0
// Bytes of a file that nobody vouches for: every access checks its bounds, copies, and so needs no
// alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

namespace kasuri::elf {

/// The fault of a file, in words that follow its name.
struct damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class bytes {
 public:
  bytes() = default;
  explicit bytes(std::span<const std::byte> content) : content_(content) {}

  std::uint64_t size() const { return content_.size(); }
  const std::byte* data() const { return content_.data(); }

  /// The record at `at`; `what` names it where it leaves the file.
  template <class T>
  T get(std::uint64_t at, const char* what) const {
    T value;
    std::memcpy(&value, part(at, sizeof value, what).content_.data(), sizeof value);
    return value;
  }

  bytes part(std::uint64_t at, std::uint64_t length, const char* what) const {
    if (at > size() || length > size() - at) {
      throw damaged(std::string("is damaged: its ") + what + " lies outside the file");
    }
    return bytes(content_.subspan(at, length));
  }

  /// The text from `at` to the NUL that ends it.
  std::string text(std::uint64_t at, const char* what) const {
    const bytes rest = part(at, at > size() ? 1 : size() - at, what);
    const char* begin = reinterpret_cast<const char*>(rest.content_.data());
    const std::size_t length = ::strnlen(begin, rest.content_.size());
    if (length == rest.content_.size()) {
      throw damaged(std::string("is damaged: its ") + what + " has no end");
    }
    return {begin, length};
  }

 private:
  std::span<const std::byte> content_;
};

}  // namespace kasuri::elf
