// SPDX-License-Identifier: Apache-2.0
// Reads DWARF by libdw. Its twin is lines_off.cpp.
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "symbols/dwarf_closure.hpp"
#include "symbols/dwarf_unit.hpp"
#include "symbols/file_names.hpp"
#include "symbols/lines.hpp"

namespace kasuri::symbols {
namespace {

bool is_runtime_symbol(std::string_view name) {
  return name.starts_with("GOMP_") || name.starts_with("__kmpc_") || name.starts_with("omp_") ||
         name.starts_with("_ZN6kasuri") || name.starts_with("kasuri_");
}

class dwarf_lines final : public lines {
 public:
  dwarf_lines(int file, Dwarf* data) : file_(file), data_(data) { read_units(); }
  ~dwarf_lines() override {
    dwarf_end(data_);
    ::close(file_);
  }
  dwarf_lines(const dwarf_lines&) = delete;
  dwarf_lines& operator=(const dwarf_lines&) = delete;

  bool empty() const { return units_.empty(); }

  std::vector<source_line> chain(std::uint64_t address) override;
  std::optional<source_line> declaration(std::uint64_t address) override;
  std::optional<source_line> closure(std::uint64_t entry) override;
  std::optional<source_line> first_of_user(std::uint64_t address) override;
  std::optional<source_line> jump_to_runtime(std::uint64_t entry) override;

 private:
  struct range {
    std::uint64_t begin;
    std::uint64_t end;
    std::size_t unit;
  };
  void read_units();
  dwarf_unit* unit_at(std::uint64_t address);

  int file_;
  Dwarf* data_;
  std::vector<dwarf_unit> units_;
  std::vector<range> ranges_;  // by `begin`; not every compiler writes the table of these
};

void dwarf_lines::read_units() {
  Dwarf_CU* cu = nullptr;
  Dwarf_Die unit;
  Dwarf_Die split;
  std::uint8_t type = 0;
  while (dwarf_get_units(data_, cu, &cu, nullptr, &type, &unit, &split) == 0) {
    if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
    const bool is_split = type == DW_UT_skeleton && split.addr != nullptr;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&unit, at, &base, &begin, &end)) > 0;)
      if (begin < end) ranges_.push_back({begin, end, units_.size()});
    units_.emplace_back(unit, is_split ? split : unit);
  }
  std::ranges::sort(ranges_, {}, &range::begin);
}

dwarf_unit* dwarf_lines::unit_at(std::uint64_t address) {
  const auto next = std::ranges::upper_bound(ranges_, address, {}, &range::begin);
  if (next == ranges_.begin() || address >= (next - 1)->end) return nullptr;
  return &units_[(next - 1)->unit];
}

std::vector<source_line> dwarf_lines::chain(std::uint64_t address) {
  dwarf_unit* const unit = unit_at(address);
  if (unit == nullptr) return {};
  std::vector<source_line> found = unit->chain(address);
  if (!found.empty()) return found;
  // Assembly has lines without functions.
  source_line row = unit->line_at(address);
  return row.line == 0 ? std::vector<source_line>{} : std::vector<source_line>{std::move(row)};
}

std::optional<source_line> dwarf_lines::declaration(std::uint64_t address) {
  dwarf_unit* const unit = unit_at(address);
  Dwarf_Die* const function = unit == nullptr ? nullptr : unit->function_at(address);
  if (function == nullptr) return std::nullopt;
  source_line at = declared_at(function);
  return at.line == 0 ? std::nullopt : std::optional(std::move(at));
}

std::optional<source_line> dwarf_lines::closure(std::uint64_t entry) {
  dwarf_unit* const unit = unit_at(entry);
  Dwarf_Die* const function = unit == nullptr ? nullptr : unit->function_at(entry);
  if (function == nullptr) return std::nullopt;
  const std::optional<Dwarf_Die> of_class = unit->class_of(function);
  return of_class ? closure_in(*of_class) : std::nullopt;
}

std::optional<source_line> dwarf_lines::first_of_user(std::uint64_t address) {
  dwarf_unit* const unit = unit_at(address);
  Dwarf_Die* const function = unit == nullptr ? nullptr : unit->function_at(address);
  Dwarf_Lines* table = nullptr;
  std::size_t count = 0;
  if (function == nullptr || dwarf_getsrclines(unit->unit(), &table, &count) != 0)
    return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Addr at = 0;
    if (dwarf_lineaddr(dwarf_onesrcline(table, i), &at) != 0 || dwarf_haspc(function, at) <= 0)
      continue;
    for (source_line& each : unit->chain(at))
      if (each.line != 0 && !is_library_file(each.path)) return std::move(each);
  }
  return std::nullopt;
}

// The calls below an entry that became jumps to the runtime: where their instructions lie.
void find_jumps(Dwarf_Die* entry, std::vector<Dwarf_Addr>& found) {
  for (Dwarf_Die& child : children_of(entry)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) find_jumps(&child, found);
    if ((tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site) ||
        (dwarf_hasattr(&child, DW_AT_call_tail_call) == 0 &&
         dwarf_hasattr(&child, DW_AT_GNU_tail_call) == 0))
      continue;
    std::optional<Dwarf_Die> target = referred(&child, DW_AT_call_origin);
    if (!target) target = referred(&child, DW_AT_abstract_origin);
    Dwarf_Attribute attribute;
    Dwarf_Addr at = 0;
    const bool has_place =
        dwarf_formaddr(dwarf_attr(&child, DW_AT_call_return_pc, &attribute), &at) == 0 ||
        dwarf_formaddr(dwarf_attr(&child, DW_AT_low_pc, &attribute), &at) == 0;
    if (target && is_runtime_symbol(symbol_of(&*target))) {
      // Compilers give the address behind the jump or that of the jump.
      if (has_place)
        found.push_back(at - 1);
      else if (dwarf_formaddr(dwarf_attr(&child, DW_AT_call_pc, &attribute), &at) == 0)
        found.push_back(at);
    }
  }
}

std::optional<source_line> dwarf_lines::jump_to_runtime(std::uint64_t entry) {
  dwarf_unit* const unit = unit_at(entry);
  Dwarf_Die* const function = unit == nullptr ? nullptr : unit->function_at(entry);
  if (function == nullptr || !unit->begins_at(entry) || is_runtime_symbol(symbol_of(function)))
    return std::nullopt;
  std::vector<Dwarf_Addr> jumps;
  find_jumps(function, jumps);
  if (jumps.size() != 1) return std::nullopt;
  for (source_line& each : unit->chain(jumps.front()))
    if (each.line != 0 && !is_library_file(each.path)) return std::move(each);
  return std::nullopt;
}

}  // namespace

std::unique_ptr<lines> read_lines(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  Dwarf* const data = dwarf_begin(file, DWARF_C_READ);
  if (data == nullptr) {
    ::close(file);
    return nullptr;
  }
  auto found = std::make_unique<dwarf_lines>(file, data);
  if (found->empty()) return nullptr;
  return found;
}

bool can_read_lines() { return true; }

}  // namespace kasuri::symbols
