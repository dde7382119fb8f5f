// SPDX-License-Identifier: Apache-2.0
#include "symbols/dwarf_unit.hpp"

#include <dwarf.h>

#include <algorithm>

namespace kasuri::symbols {
namespace {

std::string text_of(Dwarf_Die* entry, unsigned attribute) {
  Dwarf_Attribute found;
  const char* text = dwarf_formstring(dwarf_attr_integrate(entry, attribute, &found));
  return text == nullptr ? "" : text;
}

bool is_class(int tag) { return tag == DW_TAG_class_type || tag == DW_TAG_structure_type; }

// Names in old tables are relative to the folder that the compiler ran in.
std::string absolute(const char* path, Dwarf_Die* unit) {
  if (path == nullptr) return "";
  if (path[0] == '/') return path;
  const std::string folder = text_of(unit, DW_AT_comp_dir);
  return folder.empty() ? path : folder + '/' + path;
}

}  // namespace

std::vector<Dwarf_Die> children_of(Dwarf_Die* entry) {
  std::vector<Dwarf_Die> children;
  Dwarf_Die child;
  for (int r = dwarf_child(entry, &child); r == 0; r = dwarf_siblingof(&child, &child))
    children.push_back(child);
  return children;
}

std::optional<Dwarf_Die> referred(Dwarf_Die* entry, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Die target;
  if (dwarf_attr(entry, attribute, &found) == nullptr ||
      dwarf_formref_die(&found, &target) == nullptr)
    return std::nullopt;
  return target;
}

std::string symbol_of(Dwarf_Die* function) {
  std::string name = text_of(function, DW_AT_linkage_name);
  if (name.empty()) name = text_of(function, DW_AT_MIPS_linkage_name);
  return name.empty() ? text_of(function, DW_AT_name) : name;
}

source_line declared_at(Dwarf_Die* entry) {
  source_line at;
  at.function = symbol_of(entry);
  const char* path = dwarf_decl_file(entry);
  if (path == nullptr || dwarf_decl_line(entry, &at.line) != 0) return at;
  Dwarf_Die unit;
  at.path = dwarf_diecu(entry, &unit, nullptr, nullptr) == nullptr ? path : absolute(path, &unit);
  return at;
}

dwarf_unit::dwarf_unit(Dwarf_Die unit, Dwarf_Die tree) : unit_(unit), tree_(tree) {}

void dwarf_unit::enter(Dwarf_Die* function, Dwarf_Off enclosing_class) {
  if (enclosing_class != 0) classes_.emplace(dwarf_dieoffset(function), enclosing_class);
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &begin, &end)) > 0;)
    if (begin < end && begin != 0) functions_.push_back({begin, end, *function});
}

void dwarf_unit::read_below(Dwarf_Die* parent, Dwarf_Off enclosing_class) {
  Dwarf_Die child;
  for (int r = dwarf_child(parent, &child); r == 0; r = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) enter(&child, enclosing_class);
    // The members of a class in a function are declared in the function.
    const bool holds_functions = tag == DW_TAG_subprogram || tag == DW_TAG_namespace ||
                                 tag == DW_TAG_lexical_block || tag == DW_TAG_module ||
                                 tag == DW_TAG_inlined_subroutine || is_class(tag);
    if (holds_functions && dwarf_haschildren(&child) != 0)
      read_below(&child, is_class(tag) ? dwarf_dieoffset(&child) : 0);
  }
}

void dwarf_unit::read_functions() {
  if (read_) return;
  read_ = true;
  read_below(&tree_, 0);
  std::ranges::stable_sort(functions_, {}, &code::begin);
}

Dwarf_Die* dwarf_unit::function_at(std::uint64_t address) {
  read_functions();
  const auto next = std::ranges::upper_bound(functions_, address, {}, &code::begin);
  if (next == functions_.begin() || address >= (next - 1)->end) return nullptr;
  return &(next - 1)->function;
}

bool dwarf_unit::begins_at(std::uint64_t address) {
  read_functions();
  return std::ranges::binary_search(functions_, address, {}, &code::begin);
}

std::optional<Dwarf_Die> dwarf_unit::class_of(Dwarf_Die* function) {
  read_functions();
  std::optional<Dwarf_Die> member = *function;
  // Code refers to the entry of the function, this to its declaration in the class.
  for (int steps = 0; member && steps < 4; ++steps) {
    const auto found = classes_.find(dwarf_dieoffset(&*member));
    Dwarf_Die result;
    if (found != classes_.end() &&
        dwarf_offdie(dwarf_cu_getdwarf(tree_.cu), found->second, &result) != nullptr)
      return result;
    const std::optional<Dwarf_Die> origin = referred(&*member, DW_AT_abstract_origin);
    member = origin ? origin : referred(&*member, DW_AT_specification);
  }
  return std::nullopt;
}

source_line dwarf_unit::line_at(std::uint64_t address) {
  source_line at;
  Dwarf_Line* row = dwarf_getsrc_die(&unit_, address);
  if (row == nullptr || dwarf_lineno(row, &at.line) != 0) return at;
  at.path = absolute(dwarf_linesrc(row, nullptr, nullptr), &unit_);
  return at;
}

std::string dwarf_unit::call_file(Dwarf_Die* inlined) {
  Dwarf_Attribute found;
  Dwarf_Word number = 0;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &found), &number) != 0 ||
      dwarf_getsrcfiles(&tree_, &files, &count) != 0 || number >= count)
    return "";
  return absolute(dwarf_filesrc(files, number, nullptr, nullptr), &unit_);
}

std::vector<source_line> dwarf_unit::chain(std::uint64_t address) {
  Dwarf_Die* const function = function_at(address);
  if (function == nullptr) return {};
  std::vector<source_line> outermost_first = {{symbol_of(function), "", 0}};
  Dwarf_Die inside = *function;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (Dwarf_Die& child : children_of(&inside)) {
      const int tag = dwarf_tag(&child);
      if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
          dwarf_haspc(&child, address) <= 0)
        continue;
      if (tag == DW_TAG_inlined_subroutine) {
        Dwarf_Attribute found;
        Dwarf_Word line = 0;
        if (dwarf_formudata(dwarf_attr(&child, DW_AT_call_line, &found), &line) != 0) line = 0;
        outermost_first.back().path = call_file(&child);
        outermost_first.back().line = static_cast<int>(line);
        outermost_first.push_back({symbol_of(&child), "", 0});
      }
      inside = child;
      deeper = true;
      break;
    }
  }
  const source_line row = line_at(address);
  outermost_first.back().path = row.path;
  outermost_first.back().line = row.line;
  std::ranges::reverse(outermost_first);
  return outermost_first;
}

}  // namespace kasuri::symbols
