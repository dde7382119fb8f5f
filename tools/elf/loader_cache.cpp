// SPDX-License-Identifier: Apache-2.0
#include "elf/loader_cache.hpp"

#include <string_view>

#include "elf/mapped_file.hpp"

namespace kasuri::elf {
namespace {

// The layout that glibc has written since 2.2; some have a table of the older form in front.
constexpr std::string_view magic = "glibc-ld.so.cache1.1";
constexpr std::uint64_t header_bytes = 48;

struct entry {
  std::int32_t flags;
  std::uint32_t name;
  std::uint32_t file;
  std::uint32_t os_version;
  std::uint64_t hardware;  // not 0: a copy for some CPUs only
};

std::uint64_t find_start(bytes file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::size_t start = text.find(magic);
  if (start == std::string_view::npos) {
    throw damaged("is no cache of the loader");
  }
  return start;
}

loader_cache read_entries(bytes table) {
  loader_cache cache;
  const auto count = table.get<std::uint32_t>(magic.size(), "header");
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto each = table.get<entry>(header_bytes + i * sizeof(entry), "entries");
    if (each.hardware == 0) {
      cache[table.text(each.name, "names")].push_back(table.text(each.file, "names"));
    }
  }
  return cache;
}

}  // namespace

loader_cache read_loader_cache(const std::string& path) {
  try {
    const mapped_file mapped(path);
    const bytes file = mapped.content();
    const std::uint64_t start = find_start(file);
    return read_entries(file.part(start, file.size() - start, "table"));
  } catch (const damaged&) {
    return {};
  }
}

}  // namespace kasuri::elf
