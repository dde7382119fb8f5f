// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "elf/layout.hpp"
#include "elf/mapped_file.hpp"

namespace kasuri::elf {
const Elf64_Shdr* find_section(bytes file, const Elf64_Ehdr& header,
                               const std::vector<Elf64_Shdr>& sections, std::string_view name) {
  if (header.e_shstrndx >= sections.size()) {
    return nullptr;
  }
  const Elf64_Shdr& names = sections[header.e_shstrndx];
  const bytes texts = file.part(names.sh_offset, names.sh_size, "table of section names");
  for (const Elf64_Shdr& section : sections) {
    if (texts.text(section.sh_name, "name of a section") == name) {
      return &section;
    }
  }
  return nullptr;
}

std::vector<Elf64_Shdr> read_sections(bytes file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  if (header.e_shoff == 0 || header.e_shentsize != sizeof(Elf64_Shdr)) {
    return sections;
  }
  const std::uint64_t length = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (header.e_shoff > file.size() || length > file.size() - header.e_shoff) {
    return sections;
  }
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    sections.push_back(file.get<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr), "sections"));
  }
  return sections;
}

std::vector<std::string> find_linked_in(bytes file, const std::vector<Elf64_Shdr>& sections,
                                        const std::vector<std::string_view>& wanted) {
  std::vector<std::string> found;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size() || wanted.empty()) {
      continue;
    }
    const Elf64_Shdr& names = sections[table.sh_link];
    const bytes texts = file.part(names.sh_offset, names.sh_size, "table of strings");
    const bytes entries = file.part(table.sh_offset, table.sh_size, "table of symbols");
    for (std::uint64_t at = 0; entries.size() - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
      const auto entry = entries.get<Elf64_Sym>(at, "table of symbols");
      if (entry.st_shndx == SHN_UNDEF || entry.st_name == 0) {
        continue;
      }
      const std::string name = texts.text(entry.st_name, "name of a symbol");
      if (std::ranges::find(wanted, name) != wanted.end()) {
        found.push_back(name);
      }
    }
  }
  return found;
}

std::vector<std::string> section_texts(const std::string& path, std::string_view section) {
  const mapped_file mapped(path);
  const bytes file = mapped.content();
  const Elf64_Ehdr header = read_header(file);
  const std::vector<Elf64_Shdr> sections = read_sections(file, header);
  std::vector<std::string> texts;
  const Elf64_Shdr* found = find_section(file, header, sections, section);
  if (found != nullptr && found->sh_type == SHT_PROGBITS) {
    const bytes content = file.part(found->sh_offset, found->sh_size, "section of texts");
    for (std::uint64_t at = 0; at < content.size(); at += texts.back().size() + 1) {
      texts.push_back(content.text(at, "section of texts"));
    }
  }
  std::erase(texts, "");
  return texts;
}

}  // namespace kasuri::elf
