// SPDX-License-Identifier: Apache-2.0
// The part of a program or shared object that the dynamic loader reads: names, not code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "elf/bytes.hpp"

namespace kasuri::elf {

struct symbol {
  std::string name;
  std::string node;  // its version; empty: none
  std::string from;  // imports: the file that this version is expected of; empty: none
  bool weak = false;
};

struct needed_node {
  std::string from;
  std::string node;
  bool weak = false;
};

struct object {
  std::string path;
  std::uint16_t machine = 0;  // EM_*
  bool is_dynamic = false;    // else nothing below is there but `linked_in`
  bool is_program = false;    // the kernel may start it
  std::string soname;
  std::vector<std::string> needed;
  std::string rpath;  // as written, with its $ORIGIN
  std::string runpath;
  bool has_runpath = false;
  std::vector<symbol> imports;
  std::vector<symbol> exports;
  std::vector<needed_node> needed_nodes;
  std::vector<std::string> nodes;      // versions it defines
  std::vector<std::string> linked_in;  // names asked for that its full symbol table defines
};

/// The section of Kasuri's OpenMP library that holds the names of which a call ends the program.
inline constexpr const char* absent_section = ".kasuri.absent";

/// Reads a file. `names` are looked for in the full symbol table, which a stripped file has not.
/// Throws `damaged`.
object read_object(const std::string& path, const std::vector<std::string_view>& names = {});

/// The same of bytes in memory.
object read_object(bytes content, const std::vector<std::string_view>& names = {});

/// Whether the file is a 64-bit object of this machine: what the loader asks of a candidate.
bool is_object_for(const std::string& path, std::uint16_t machine);

/// The texts in a section of that name; empty where there is none.
std::vector<std::string> section_texts(const std::string& path, std::string_view section);

}  // namespace kasuri::elf
