// SPDX-License-Identifier: Apache-2.0
#include "symbols/binary.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <tuple>

namespace kasuri::symbols {

namespace fs = std::filesystem;
using elf::bytes;

struct binary::contents {
  std::string build_id;
  std::string debug_link;  // the name of a separate file
  bool has_debug_information = false;
  bool has_full_table = false;
  std::vector<function> functions;
};

namespace {

std::string hexadecimal(bytes from) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    const auto byte = std::to_integer<unsigned>(from.data()[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string build_id_in(bytes notes) {
  const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  for (std::uint64_t at = 0; notes.size() - at >= sizeof(Elf64_Nhdr);) {
    const auto note = notes.get<Elf64_Nhdr>(at, "notes");
    const std::uint64_t name = at + sizeof note;
    const std::uint64_t content = name + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::string_view(reinterpret_cast<const char*>(notes.part(name, 4, "note").data()), 3) ==
            "GNU")
      return hexadecimal(notes.part(content, note.n_descsz, "build id"));
    at = content + padded(note.n_descsz);
    if (at > notes.size()) break;
  }
  return "";
}

std::vector<binary::function> functions_in(bytes entries, bytes names) {
  std::vector<binary::function> functions;
  for (std::uint64_t at = 0; entries.size() - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
    const auto entry = entries.get<Elf64_Sym>(at, "table of symbols");
    const unsigned type = ELF64_ST_TYPE(entry.st_info);
    if (entry.st_shndx == SHN_UNDEF || entry.st_value == 0 ||
        (type != STT_FUNC && type != STT_GNU_IFUNC))
      continue;
    functions.push_back({entry.st_value, entry.st_value + entry.st_size,
                         names.text(entry.st_name, "name of a symbol")});
  }
  return functions;
}

// One name for each address; assembly leaves out the size: such a function goes to the next one.
void put_in_order(std::vector<binary::function>& functions) {
  using function = binary::function;
  std::ranges::sort(functions, [](const function& a, const function& b) {
    return std::tie(a.begin, b.end, a.symbol) < std::tie(b.begin, a.end, b.symbol);
  });
  const auto rest = std::ranges::unique(functions, {}, &function::begin);
  functions.erase(rest.begin(), rest.end());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].end != functions[i].begin) continue;
    functions[i].end = i + 1 < functions.size() ? functions[i + 1].begin : functions[i].begin + 1;
  }
}

}  // namespace

binary::contents binary::read(bytes file) {
  const Elf64_Ehdr header = elf::read_header(file);
  const std::vector<Elf64_Shdr> sections = elf::read_sections(file, header);
  contents found;
  const auto content = [file](const Elf64_Shdr& s) {
    return s.sh_type == SHT_NOBITS ? bytes() : file.part(s.sh_offset, s.sh_size, "section");
  };
  const auto has_symbols = [&sections](unsigned type) {
    return std::ranges::any_of(sections, [type](const auto& s) { return s.sh_type == type; });
  };
  found.has_full_table = has_symbols(SHT_SYMTAB);
  const unsigned table = found.has_full_table ? SHT_SYMTAB : SHT_DYNSYM;
  for (const Elf64_Shdr& s : sections) {
    if (s.sh_type == SHT_NOTE && found.build_id.empty()) found.build_id = build_id_in(content(s));
    if (s.sh_type == table && s.sh_link < sections.size())
      found.functions = functions_in(content(s), content(sections[s.sh_link]));
  }
  put_in_order(found.functions);
  const Elf64_Shdr* const link = elf::find_section(file, header, sections, ".gnu_debuglink");
  if (link != nullptr) found.debug_link = content(*link).text(0, "link to debug information");
  found.has_debug_information =
      elf::find_section(file, header, sections, ".debug_info") != nullptr ||
      elf::find_section(file, header, sections, ".zdebug_info") != nullptr;
  return found;
}

binary::binary(const std::string& path)
    : path_(path),
      mapped_(std::make_unique<elf::mapped_file>(path)),
      layout_(mapped_->content(), elf::read_header(mapped_->content())) {
  contents own = read(mapped_->content());
  build_id_ = own.build_id;
  functions_ = std::move(own.functions);
  if (own.has_debug_information)
    debug_file_ = path_;
  else
    find_debug_file(own);
}

void binary::find_debug_file(const contents& own) {
  const std::string all = "/usr/lib/debug";
  std::vector<std::string> places;
  if (build_id_.size() > 2)
    places.push_back(all + "/.build-id/" + build_id_.substr(0, 2) + '/' + build_id_.substr(2) +
                     ".debug");
  if (!own.debug_link.empty()) {
    std::error_code error;
    const std::string folder = fs::absolute(path_, error).parent_path().string();
    for (const std::string& below : {folder, folder + "/.debug", all + folder})
      places.push_back(below + '/' + own.debug_link);
  }
  for (const std::string& place : places) {
    try {
      const elf::mapped_file mapped(place);
      contents separate = read(mapped.content());
      if (!separate.has_debug_information || separate.build_id != build_id_) continue;
      debug_file_ = place;
      if (!own.has_full_table && separate.has_full_table)
        functions_ = std::move(separate.functions);
      return;
    } catch (const elf::damaged&) {
      continue;  // none there, or none of use: the next place
    }
  }
}

const binary::function* binary::function_at(std::uint64_t address) const {
  const auto next = std::ranges::upper_bound(functions_, address, {}, &function::begin);
  if (next == functions_.begin() || address >= (next - 1)->end) return nullptr;
  return &*(next - 1);
}

std::optional<std::uint64_t> binary::called_before(std::uint64_t address) const {
  try {
    const bytes file = mapped_->content();
    const auto machine = elf::read_header(file).e_machine;
    const std::uint64_t length = machine == EM_AARCH64 ? 4 : 5;
    const bytes code = file.part(layout_.offset(address - length, "code"), length, "code");
    if (machine == EM_X86_64 && code.get<std::uint8_t>(0, "code") == 0xe8)
      return address + static_cast<std::uint64_t>(code.get<std::int32_t>(1, "code"));
    if (machine != EM_AARCH64) return std::nullopt;
    const auto instruction = code.get<std::uint32_t>(0, "code");
    if ((instruction & 0xfc000000U) != 0x94000000U) return std::nullopt;
    const auto words = static_cast<std::int32_t>(instruction << 6) >> 6;
    return address - 4 + static_cast<std::uint64_t>(std::int64_t{words} * 4);
  } catch (const elf::damaged&) {
    return std::nullopt;  // no code of this file stands there
  }
}

}  // namespace kasuri::symbols
