// SPDX-License-Identifier: Apache-2.0
#include "symbols/dwarf_closure.hpp"

#include <dwarf.h>

#include "symbols/dwarf_unit.hpp"
#include "symbols/file_names.hpp"

namespace kasuri::symbols {
namespace {

// Kasuri's loops hold the user's closure some levels below the frame.
constexpr int most_levels = 8;

// The class behind names, qualifiers, references and pointers.
std::optional<Dwarf_Die> class_behind(Dwarf_Die type) {
  for (int steps = 0; steps < 16; ++steps) {
    switch (dwarf_tag(&type)) {
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        return type;
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
        break;
      default:
        return std::nullopt;
    }
    const std::optional<Dwarf_Die> next = referred(&type, DW_AT_type);
    if (!next) return std::nullopt;
    type = *next;
  }
  return std::nullopt;
}

// The call operator is where a reader looks, not the head of its class.
std::optional<source_line> call_operator(Dwarf_Die* of_class) {
  for (Dwarf_Die& member : children_of(of_class)) {
    if (dwarf_tag(&member) != DW_TAG_subprogram) continue;
    const char* name = dwarf_diename(&member);
    if (name == nullptr || std::string_view(name).substr(0, 10) != "operator()") continue;
    source_line at = declared_at(&member);
    if (at.line == 0) at = declared_at(of_class);
    if (at.line != 0 && !is_library_file(at.path)) return at;
  }
  return std::nullopt;
}

std::optional<source_line> search(Dwarf_Die type, int level) {
  std::optional<Dwarf_Die> found = class_behind(type);
  if (!found || level == most_levels) return std::nullopt;
  if (std::optional<source_line> at = call_operator(&*found)) return at;
  for (const int kind : {DW_TAG_template_type_parameter, DW_TAG_member}) {
    for (Dwarf_Die& part : children_of(&*found)) {
      if (dwarf_tag(&part) != kind) continue;
      const std::optional<Dwarf_Die> inner = referred(&part, DW_AT_type);
      if (!inner) continue;
      if (std::optional<source_line> at = search(*inner, level + 1)) return at;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<source_line> closure_in(Dwarf_Die type) { return search(type, 0); }

}  // namespace kasuri::symbols
