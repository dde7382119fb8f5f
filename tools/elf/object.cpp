// SPDX-License-Identifier: Apache-2.0
#include "elf/object.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "elf/layout.hpp"
#include "elf/mapped_file.hpp"

namespace kasuri::elf {
namespace {

/// Says in words why a file is not ours to read; null: fine.
const char* refusal(const Elf64_Ehdr& header) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64) {
    return "is not a 64-bit program; accepted: 64-bit ELF files";
  }
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return "has another byte order; accepted: little-endian ELF files";
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return "is neither a program nor a shared library; accepted: those";
  }
  if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr)) {
    return "is damaged: its program headers have a wrong size";
  }
  return nullptr;
}

dynamic_table read_dynamic(bytes file, const Elf64_Phdr& segment) {
  dynamic_table table;
  const bytes entries = file.part(segment.p_offset, segment.p_filesz, "dynamic section");
  for (std::uint64_t at = 0; entries.size() - at >= sizeof(Elf64_Dyn); at += sizeof(Elf64_Dyn)) {
    const auto entry = entries.get<Elf64_Dyn>(at, "dynamic section");
    if (entry.d_tag == DT_NULL) {
      break;
    }
    if (entry.d_tag == DT_NEEDED) {
      table.needed.push_back(entry.d_un.d_val);
    } else {
      table.values[entry.d_tag] = entry.d_un.d_val;
    }
  }
  return table;
}

/// The loader never needs to know how many there are; we ask the sections, the old hash table, or
/// the strings that linkers put right behind.
std::uint64_t symbol_count(bytes file, const Elf64_Ehdr& header, const layout& map,
                           const dynamic_table& dynamic, std::uint64_t symbols) {
  for (const Elf64_Shdr& section : read_sections(file, header)) {
    if (section.sh_type == SHT_DYNSYM && section.sh_addr == symbols) {
      return section.sh_size / sizeof(Elf64_Sym);
    }
  }
  if (const auto hash = dynamic.find(DT_HASH)) {
    constexpr std::uint64_t chains = 4;  // behind the number of buckets
    return file.get<std::uint32_t>(map.offset(*hash, "hash table") + chains, "hash table");
  }
  const std::uint64_t strings = dynamic.find(DT_STRTAB).value_or(0);
  return strings > symbols ? (strings - symbols) / sizeof(Elf64_Sym) : 0;
}

void add_symbol(const Elf64_Sym& entry, std::string name, const version& of, object& into) {
  const int binding = ELF64_ST_BIND(entry.st_info);
  if (name.empty() || binding == STB_LOCAL || entry.st_shndx == SHN_ABS) {
    return;  // absolute: the names of version nodes
  }
  const bool undefined = entry.st_shndx == SHN_UNDEF;
  (undefined ? into.imports : into.exports)
      .push_back({std::move(name), of.node, undefined ? of.from : "", binding == STB_WEAK});
}

void read_symbols(bytes file, const Elf64_Ehdr& header, const layout& map,
                  const dynamic_table& dynamic, bytes strings, object& into) {
  const version_map versions = read_versions(file, map, dynamic, strings, into);
  const auto symbols = dynamic.find(DT_SYMTAB);
  if (!symbols) {
    return;
  }
  const std::uint64_t symbols_at = map.offset(*symbols, "table of symbols");
  const std::uint64_t count = symbol_count(file, header, map, dynamic, *symbols);
  if (count > file.size() / sizeof(Elf64_Sym)) {
    throw damaged("is damaged: its table of symbols lies outside the file");
  }
  const auto numbers = dynamic.find(DT_VERSYM);
  const std::uint64_t numbers_at = numbers ? map.offset(*numbers, "table of versions") : 0;
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto entry = file.get<Elf64_Sym>(symbols_at + i * sizeof(Elf64_Sym), "table of symbols");
    version of;
    if (numbers) {
      const auto number =
          file.get<std::uint16_t>(numbers_at + i * sizeof(std::uint16_t), "table of versions");
      const auto found = versions.find(number & 0x7fff);
      of = found == versions.end() ? version{} : found->second;
    }
    add_symbol(entry, strings.text(entry.st_name, "name of a symbol"), of, into);
  }
}

void read_dynamic_part(bytes file, const Elf64_Ehdr& header, const layout& map, object& into) {
  const dynamic_table dynamic = read_dynamic(file, *map.dynamic());
  const auto strings_at = dynamic.find(DT_STRTAB);
  if (!strings_at) {
    throw damaged("is damaged: its dynamic section names no strings");
  }
  const bytes strings = file.part(map.offset(*strings_at, "table of strings"),
                                  dynamic.find(DT_STRSZ).value_or(0), "table of strings");
  for (const std::uint64_t name : dynamic.needed) {
    into.needed.push_back(strings.text(name, "name of a needed library"));
  }
  const auto text = [&](std::int64_t tag, const char* what) {
    const auto at = dynamic.find(tag);
    return at ? strings.text(*at, what) : std::string();
  };
  into.soname = text(DT_SONAME, "name");
  into.rpath = text(DT_RPATH, "search path");
  into.runpath = text(DT_RUNPATH, "search path");
  into.has_runpath = dynamic.find(DT_RUNPATH).has_value();
  read_symbols(file, header, map, dynamic, strings, into);
}

}  // namespace

Elf64_Ehdr read_header(bytes file) {
  constexpr std::string_view magic(ELFMAG, SELFMAG);
  if (file.size() < SELFMAG ||
      std::memcmp(&magic[0], file.part(0, SELFMAG, "header").data(), SELFMAG) != 0) {
    throw damaged("is no ELF file; accepted: programs and shared libraries");
  }
  const auto header = file.get<Elf64_Ehdr>(0, "header");
  if (const char* why = refusal(header)) {
    throw damaged(why);
  }
  return header;
}

layout::layout(bytes file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    const auto segment = file.get<Elf64_Phdr>(at, "table of segments");
    if (segment.p_type == PT_LOAD) {
      loads_.push_back(segment);
    } else if (segment.p_type == PT_DYNAMIC) {
      dynamic_ = segment;
    }
    has_interpreter_ |= segment.p_type == PT_INTERP;
  }
}

std::uint64_t layout::offset(std::uint64_t address, const char* what) const {
  for (const Elf64_Phdr& load : loads_) {
    if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz) {
      return load.p_offset + (address - load.p_vaddr);
    }
  }
  throw damaged(std::string("is damaged: its ") + what + " lies outside the file");
}

object read_object(bytes file, const std::vector<std::string_view>& names) {
  const Elf64_Ehdr header = read_header(file);
  const layout map(file, header);
  object result;
  result.machine = header.e_machine;
  result.is_dynamic = map.dynamic().has_value();
  result.is_program = header.e_type == ET_EXEC || map.has_interpreter();
  result.linked_in = find_linked_in(file, read_sections(file, header), names);
  if (result.is_dynamic) {
    read_dynamic_part(file, header, map, result);
  }
  return result;
}

object read_object(const std::string& path, const std::vector<std::string_view>& names) {
  const mapped_file file(path);
  object result = read_object(file.content(), names);
  result.path = path;
  return result;
}

bool is_object_for(const std::string& path, std::uint16_t machine) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return false;
  }
  Elf64_Ehdr header{};
  const bool whole = ::read(file, &header, sizeof header) == sizeof header;
  ::close(file);
  return whole && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && refusal(header) == nullptr &&
         header.e_machine == machine;
}

}  // namespace kasuri::elf
