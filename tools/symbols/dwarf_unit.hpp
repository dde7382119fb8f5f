// SPDX-License-Identifier: Apache-2.0
// The functions of one unit of debug information, by address; and what stands in them.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbols/lines.hpp"

namespace kasuri::symbols {

class dwarf_unit {
 public:
  /// `unit` has the table of lines, `tree` the entries; they differ where the latter lie in a file
  /// of their own.
  dwarf_unit(Dwarf_Die unit, Dwarf_Die tree);

  std::vector<source_line> chain(std::uint64_t address);

  /// The function whose code holds the address; null: none.
  Dwarf_Die* function_at(std::uint64_t address);

  /// Whether code of a function begins there.
  bool begins_at(std::uint64_t address);

  /// The class that a member function belongs to.
  std::optional<Dwarf_Die> class_of(Dwarf_Die* function);

  /// A readable name; of a lambda's operator, with the function around it.
  std::string name_of(Dwarf_Die* function);

  /// The line table's entry of an address.
  source_line line_at(std::uint64_t address);

  Dwarf_Die* unit() { return &unit_; }

 private:
  struct code {
    std::uint64_t begin;
    std::uint64_t end;
    Dwarf_Die function;
  };
  void read_functions();
  struct context {
    Dwarf_Off in_class = 0;
    Dwarf_Off in_function = 0;
  };
  void read_below(Dwarf_Die* parent, context around);
  void enter(Dwarf_Die* function, context around);
  std::optional<context> context_of(Dwarf_Die* function);
  std::optional<Dwarf_Die> entry_at(Dwarf_Off offset);

  Dwarf_Die unit_;
  Dwarf_Die tree_;
  bool read_ = false;
  std::vector<code> functions_;                     // by `begin`
  std::unordered_map<Dwarf_Off, context> members_;  // of classes, by what is declared there
};

/// The name by which the linker knows a function, or else the one in the source; also of an inlined
/// one. Empty: it has none.
std::string symbol_of(Dwarf_Die* function);

/// Where an entry is declared; a line of 0: not known.
source_line declared_at(Dwarf_Die* entry);

/// The entry that an attribute refers to.
std::optional<Dwarf_Die> referred(Dwarf_Die* entry, unsigned attribute);

/// Its children.
std::vector<Dwarf_Die> children_of(Dwarf_Die* entry);

}  // namespace kasuri::symbols
