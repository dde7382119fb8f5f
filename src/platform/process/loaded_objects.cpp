// SPDX-License-Identifier: Apache-2.0
#include "platform/process/loaded_objects.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "platform/base/expect.hpp"

namespace kasuri::platform {
namespace {

using symbol_record = ElfW(Sym);
using hash_word = std::uint32_t;
using filter_word = ElfW(Addr);

/// Of DT_GNU_HASH.
struct hash_head {
  hash_word buckets;
  hash_word first_symbol;
  hash_word filter_words;
  hash_word filter_shift;
};

hash_word hash_of(const char* name) noexcept {
  hash_word h = 5381;
  for (; *name != '\0'; ++name) h = h * 33 + static_cast<unsigned char>(*name);
  return h;
}

constexpr unsigned bits_of_filter_word = 8 * sizeof(filter_word);

bool is_function_of_object(const symbol_record& s) noexcept {
  constexpr unsigned type_bits = 0xf;
  return s.st_shndx != SHN_UNDEF && (s.st_info & type_bits) == STT_FUNC;
}

loader_counts counts_of(const dl_phdr_info& info, std::size_t size) noexcept {
  // The C library says how much of the record it has filled in.
  constexpr std::size_t with_counts =
      offsetof(dl_phdr_info, dlpi_subs) + sizeof(dl_phdr_info::dlpi_subs);
  if (size < with_counts) return {};
  return {info.dlpi_adds, info.dlpi_subs};
}

struct visitor {
  bool (*visit)(const loaded_object&, const char*, void*);
  void* arg;
  loader_counts seen;
};

int visit_object(dl_phdr_info* info, std::size_t size, void* arg) {
  auto& v = *static_cast<visitor*>(arg);
  v.seen = counts_of(*info, size);
  const char* const file = info->dlpi_name != nullptr ? info->dlpi_name : "";
  return v.visit(loaded_object(info), file, v.arg) ? 1 : 0;
}

constinit std::atomic<void (*)() noexcept> noticed_by{nullptr};

}  // namespace

loader_counts count_loaded() noexcept {
  loader_counts seen;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t size, void* arg) {
        *static_cast<loader_counts*>(arg) = counts_of(*info, size);
        return 1;  // each record has them
      },
      &seen);
  return seen;
}

loaded_object::loaded_object(const void* record) noexcept {
  const auto& info = *static_cast<const dl_phdr_info*>(record);
  base_ = info.dlpi_addr;
  module_range all{UINTPTR_MAX, 0};
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const std::uintptr_t start = base_ + segment.p_vaddr;
    if (segment.p_type == PT_LOAD)
      all = {std::min(all.begin, start), std::max(all.end, start + segment.p_memsz)};
    if (segment.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(start);
  }
  if (all.begin >= all.end) return;
  range_ = all;
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    // Some C libraries write addresses into the table when they load the object, some leave it.
    const std::uintptr_t value = dynamic->d_un.d_ptr;
    const std::uintptr_t address =
        range_.holds(reinterpret_cast<const void*>(value)) ? value : base_ + value;
    if (dynamic->d_tag == DT_SYMTAB) symbols_ = address;
    if (dynamic->d_tag == DT_STRTAB) names_ = address;
    if (dynamic->d_tag == DT_GNU_HASH) hash_ = address;
  }
}

template <class T>
const T* loaded_object::table(std::uintptr_t address) const noexcept {
  KASURI_EXPECT(cheap, range_.holds(reinterpret_cast<const void*>(address)),
                "a table at %#lx of the object [%#lx, %#lx)", address, range_.begin, range_.end);
  return reinterpret_cast<const T*>(address);
}

void* loaded_object::function(const char* name) const noexcept {
  for (const std::uintptr_t each : {hash_, symbols_, names_})
    if (!range_.holds(reinterpret_cast<const void*>(each))) return nullptr;
  const hash_head& head = *table<hash_head>(hash_);
  if (head.buckets == 0 || head.filter_words == 0) return nullptr;
  const hash_word hash = hash_of(name);
  const auto* const filter = table<filter_word>(hash_ + sizeof(hash_head));
  const filter_word word = filter[hash / bits_of_filter_word % head.filter_words];
  const hash_word second = hash >> head.filter_shift;
  if ((word >> hash % bits_of_filter_word & word >> second % bits_of_filter_word & 1) == 0)
    return nullptr;
  const auto* const buckets = reinterpret_cast<const hash_word*>(filter + head.filter_words);
  const hash_word* const chain = buckets + head.buckets;
  hash_word at = buckets[hash % head.buckets];
  if (at < head.first_symbol) return nullptr;
  const auto* const symbols = table<symbol_record>(symbols_);
  const char* const names = table<char>(names_);
  for (;; ++at) {
    const hash_word here = chain[at - head.first_symbol];
    const symbol_record& s = symbols[at];
    if ((here | 1) == (hash | 1) && std::strcmp(names + s.st_name, name) == 0 &&
        is_function_of_object(s))
      return reinterpret_cast<void*>(base_ + s.st_value);
    if ((here & 1) != 0) return nullptr;  // the last of its bucket
  }
}

loader_counts for_each_loaded(bool (*visit)(const loaded_object&, const char*, void*), void* arg) {
  visitor v{visit, arg, {}};
  dl_iterate_phdr(visit_object, &v);
  return v.seen;
}

module_range module_range_of(const void* address) noexcept {
  module_range found;
  for_each_loaded([&](const loaded_object& object, const char*) {
    if (object.range().holds(address)) found = object.range();
    return !found.empty();
  });
  return found;
}

object_hold::object_hold(const std::string& file, const loaded_object& object,
                         bool for_ever) noexcept {
  const int keep = for_ever ? RTLD_NODELETE : 0;
  handle_ = dlopen(file.empty() ? nullptr : file.c_str(), RTLD_LAZY | RTLD_NOLOAD | keep);
  if (handle_ == nullptr) return;
  const link_map* map = nullptr;
  // Another one of that name may lie elsewhere by now.
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map->l_addr == object.base()) return;
  dlclose(handle_);
  handle_ = nullptr;
}

object_hold::~object_hold() {
  if (handle_ != nullptr) dlclose(handle_);
}

void notice_libraries() noexcept {
  if (auto* const look = noticed_by.load(std::memory_order_relaxed)) look();
}

void notice_libraries_by(void (*look)() noexcept) noexcept {
  noticed_by.store(look, std::memory_order_relaxed);
}

}  // namespace kasuri::platform
