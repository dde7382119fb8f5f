// SPDX-License-Identifier: Apache-2.0
#include "symbols/dwarf_unit.hpp"

#include <dwarf.h>

#include <algorithm>

#include "symbols/function_names.hpp"

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

// The file of that attribute's number. Since DWARF 5 the number 0 is a file too.
std::string file_of(Dwarf_Attribute* number) {
  Dwarf_Word at = 0;
  Dwarf_Die unit;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (number == nullptr || dwarf_formudata(number, &at) != 0 ||
      dwarf_cu_die(number->cu, &unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
          nullptr ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0 || at >= count)
    return "";
  return absolute(dwarf_filesrc(files, at, nullptr, nullptr), &unit);
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
  return name.empty() || !can_be_read(name) ? text_of(function, DW_AT_name) : name;
}

source_line declared_at(Dwarf_Die* entry) {
  source_line at;
  at.function = readable(symbol_of(entry));
  Dwarf_Attribute found;
  at.path = file_of(dwarf_attr_integrate(entry, DW_AT_decl_file, &found));
  if (at.path.empty() || dwarf_decl_line(entry, &at.line) != 0) at.line = 0;
  return at;
}

dwarf_unit::dwarf_unit(Dwarf_Die unit, Dwarf_Die tree) : unit_(unit), tree_(tree) {}

void dwarf_unit::enter(Dwarf_Die* function, context around) {
  if (around.in_class != 0) members_.emplace(dwarf_dieoffset(function), around);
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &begin, &end)) > 0;)
    if (begin < end && begin != 0) functions_.push_back({begin, end, *function});
}

void dwarf_unit::read_below(Dwarf_Die* parent, context around) {
  Dwarf_Die child;
  for (int r = dwarf_child(parent, &child); r == 0; r = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) enter(&child, around);
    // The members of a class in a function are declared in the function.
    const bool holds_functions = tag == DW_TAG_subprogram || tag == DW_TAG_namespace ||
                                 tag == DW_TAG_lexical_block || tag == DW_TAG_module ||
                                 tag == DW_TAG_inlined_subroutine || is_class(tag);
    if (!holds_functions || dwarf_haschildren(&child) == 0) continue;
    const Dwarf_Off own = dwarf_dieoffset(&child);
    read_below(&child,
               {is_class(tag) ? own : 0, tag == DW_TAG_subprogram ? own : around.in_function});
  }
}

void dwarf_unit::read_functions() {
  if (read_) return;
  read_ = true;
  read_below(&tree_, {});
  std::ranges::sort(functions_, {}, &code::begin);
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

std::optional<dwarf_unit::context> dwarf_unit::context_of(Dwarf_Die* function) {
  read_functions();
  std::optional<Dwarf_Die> member = *function;
  // Code refers to the entry of the function, this to its declaration in the class.
  for (int steps = 0; member && steps < 4; ++steps) {
    const auto found = members_.find(dwarf_dieoffset(&*member));
    if (found != members_.end()) return found->second;
    const std::optional<Dwarf_Die> origin = referred(&*member, DW_AT_abstract_origin);
    member = origin ? origin : referred(&*member, DW_AT_specification);
  }
  return std::nullopt;
}

std::optional<Dwarf_Die> dwarf_unit::entry_at(Dwarf_Off offset) {
  Dwarf_Die entry;
  if (offset == 0 || dwarf_offdie(dwarf_cu_getdwarf(tree_.cu), offset, &entry) == nullptr)
    return std::nullopt;
  return entry;
}

std::optional<Dwarf_Die> dwarf_unit::class_of(Dwarf_Die* function) {
  const std::optional<context> around = context_of(function);
  return around ? entry_at(around->in_class) : std::nullopt;
}

std::string dwarf_unit::name_of(Dwarf_Die* function) {
  std::string lambdas;
  std::optional<Dwarf_Die> named = *function;
  std::string name = symbol_of(&*named);
  for (int depth = 0; name == "operator()" && depth < 8; ++depth) {
    lambdas += lambdas.empty() ? "{lambda}" : "::{lambda}";
    const std::optional<context> around = context_of(&*named);
    named = around ? entry_at(around->in_function) : std::nullopt;
    if (!named) return lambdas;
    name = symbol_of(&*named);
  }
  if (lambdas.empty()) return readable(name);
  return name.empty() ? lambdas : readable(name) + "::" + lambdas;
}

source_line dwarf_unit::line_at(std::uint64_t address) {
  // Where compilers merged instructions of several lines they give none: the one before holds.
  constexpr int most_steps = 8;
  source_line at;
  for (int steps = 0; at.line == 0 && steps < most_steps; ++steps) {
    Dwarf_Line* row = dwarf_getsrc_die(&unit_, address);
    Dwarf_Addr begin = 0;
    if (row == nullptr || dwarf_lineno(row, &at.line) != 0 || dwarf_lineaddr(row, &begin) != 0)
      return {};
    at.path = absolute(dwarf_linesrc(row, nullptr, nullptr), &unit_);
    address = begin - 1;
  }
  return at;
}

std::vector<source_line> dwarf_unit::chain(std::uint64_t address) {
  Dwarf_Die* const function = function_at(address);
  if (function == nullptr) return {};
  std::vector<source_line> outermost_first = {{name_of(function), "", 0}};
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
        outermost_first.back().path = file_of(dwarf_attr(&child, DW_AT_call_file, &found));
        outermost_first.back().line = static_cast<int>(line);
        outermost_first.push_back({name_of(&child), "", 0});
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
