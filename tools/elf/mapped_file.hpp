// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "elf/bytes.hpp"

namespace kasuri::elf {

/// A regular file, mapped for reading. Throws `damaged` where it cannot be had.
class mapped_file {
 public:
  explicit mapped_file(const std::string& path);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  bytes content() const;

 private:
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace kasuri::elf
