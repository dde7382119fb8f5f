// SPDX-License-Identifier: Apache-2.0
// A program or library on disk: its build id, the names of its functions, and where its debug
// information lies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elf/bytes.hpp"
#include "elf/layout.hpp"
#include "elf/mapped_file.hpp"

namespace kasuri::symbols {

class binary {
 public:
  /// Throws elf::damaged where the file cannot be read.
  explicit binary(const std::string& path);

  /// Hexadecimal; empty: it has none.
  const std::string& build_id() const { return build_id_; }

  /// The file with the debug information: this one, or one of the places for separate ones. Empty:
  /// there is none.
  const std::string& debug_file() const { return debug_file_; }

  struct function {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string symbol;
  };
  /// The function that holds the address, by the file's own addresses; null: none.
  const function* function_at(std::uint64_t address) const;

  /// The function that is called by the instruction before this address; nothing: it names none, or
  /// does so at run time.
  std::optional<std::uint64_t> called_before(std::uint64_t address) const;

 private:
  struct contents;
  static contents read(elf::bytes file);
  void find_debug_file(const contents& own);

  std::string path_;
  std::unique_ptr<elf::mapped_file> mapped_;
  elf::layout layout_;
  std::string build_id_;
  std::string debug_file_;
  std::vector<function> functions_;  // by `begin`
};

}  // namespace kasuri::symbols
