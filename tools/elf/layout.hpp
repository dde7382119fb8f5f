// SPDX-License-Identifier: Apache-2.0
// Parts of the reader that its files share.
#pragma once

#include <elf.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "elf/bytes.hpp"
#include "elf/object.hpp"

namespace kasuri::elf {

/// Where the program headers put the file into memory.
class layout {
 public:
  layout(bytes file, const Elf64_Ehdr& header);

  /// The place in the file of an address.
  std::uint64_t offset(std::uint64_t address, const char* what) const;

  const std::optional<Elf64_Phdr>& dynamic() const { return dynamic_; }
  bool has_interpreter() const { return has_interpreter_; }

 private:
  std::vector<Elf64_Phdr> loads_;
  std::optional<Elf64_Phdr> dynamic_;
  bool has_interpreter_ = false;
};

/// The last value of each tag; DT_NEEDED, which repeats, in order.
struct dynamic_table {
  std::map<std::int64_t, std::uint64_t> values;
  std::vector<std::uint64_t> needed;

  std::optional<std::uint64_t> find(std::int64_t tag) const {
    const auto found = values.find(tag);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
};

/// The version that a number in DT_VERSYM stands for.
struct version {
  std::string node;
  std::string from;  // of a needed one
};
using version_map = std::map<std::uint16_t, version>;

/// Reads both version tables; also fills the object's `nodes` and `needed_nodes`.
version_map read_versions(bytes file, const layout& map, const dynamic_table& dynamic,
                          bytes strings, object& into);

/// The section headers; empty where they are missing or make no sense, for the loader does not look
/// at them.
std::vector<Elf64_Shdr> read_sections(bytes file, const Elf64_Ehdr& header);

/// The section of that name; null: there is none.
const Elf64_Shdr* find_section(bytes file, const Elf64_Ehdr& header,
                               const std::vector<Elf64_Shdr>& sections, std::string_view name);

/// The names among `wanted` that the full symbol table defines.
std::vector<std::string> find_linked_in(bytes file, const std::vector<Elf64_Shdr>& sections,
                                        const std::vector<std::string_view>& wanted);

/// Checks that this is a file for us.
Elf64_Ehdr read_header(bytes file);

}  // namespace kasuri::elf
