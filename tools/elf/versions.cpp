// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "elf/layout.hpp"

namespace kasuri::elf {
namespace {

// A version has 15 bits, so a table with more entries than that is nonsense, and its chains, which
// a damaged file may let overlap, end here.
constexpr int most_entries = 1 << 15;

constexpr const char* table_name = "table of versions";

void count(int& entries) {
  if (++entries > most_entries) {
    throw damaged("is damaged: its table of versions has no end");
  }
}

void read_needed(bytes file, std::uint64_t at, bytes strings, version_map& versions, object& into) {
  int entries = 0;
  for (std::uint64_t next = 1; next != 0; at += next) {
    count(entries);
    const auto need = file.get<Elf64_Verneed>(at, table_name);
    const std::string from = strings.text(need.vn_file, table_name);
    std::uint64_t aux_at = at + need.vn_aux;
    for (int i = 0; i < need.vn_cnt; ++i) {
      count(entries);
      const auto aux = file.get<Elf64_Vernaux>(aux_at, table_name);
      const std::string node = strings.text(aux.vna_name, table_name);
      versions[aux.vna_other & 0x7fff] = {node, from};
      into.needed_nodes.push_back({from, node, (aux.vna_flags & VER_FLG_WEAK) != 0});
      if (aux.vna_next == 0) {
        break;
      }
      aux_at += aux.vna_next;
    }
    next = need.vn_next;
  }
}

void read_defined(bytes file, std::uint64_t at, bytes strings, version_map& versions,
                  object& into) {
  int entries = 0;
  for (std::uint64_t next = 1; next != 0; at += next) {
    count(entries);
    const auto definition = file.get<Elf64_Verdef>(at, table_name);
    next = definition.vd_next;
    if ((definition.vd_flags & VER_FLG_BASE) != 0) {
      continue;  // the name of the file itself
    }
    const auto aux = file.get<Elf64_Verdaux>(at + definition.vd_aux, table_name);
    const std::string node = strings.text(aux.vda_name, table_name);
    versions[definition.vd_ndx & 0x7fff] = {node, ""};
    into.nodes.push_back(node);
  }
}

}  // namespace

version_map read_versions(bytes file, const layout& map, const dynamic_table& dynamic,
                          bytes strings, object& into) {
  version_map versions;
  // The counts beside the tables are not asked: the chains end by themselves.
  const auto some = [&](std::int64_t tag) { return dynamic.find(tag).value_or(0) != 0; };
  if (const auto at = dynamic.find(DT_VERNEED); at && some(DT_VERNEEDNUM)) {
    read_needed(file, map.offset(*at, table_name), strings, versions, into);
  }
  if (const auto at = dynamic.find(DT_VERDEF); at && some(DT_VERDEFNUM)) {
    read_defined(file, map.offset(*at, table_name), strings, versions, into);
  }
  return versions;
}

}  // namespace kasuri::elf
