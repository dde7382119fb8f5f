// SPDX-License-Identifier: Apache-2.0
// _dl_find_object (glibc 2.35): libgcc_eh.a asks it for the unwind table of the code at an address,
// and has no other way. The C library's own takes no lock; before 2.35 the loaded objects are gone
// through.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>

#include "c_library.hpp"
#include "older.hpp"

namespace {

struct search {
  void* address;
  dl_find_object* result;
};

bool holds(const dl_phdr_info& object, const ElfW(Phdr) & segment, std::uintptr_t address) {
  const std::uintptr_t start = object.dlpi_addr + segment.p_vaddr;
  return segment.p_type == PT_LOAD && address - start < segment.p_memsz;
}

/// Where the object's global offset table lies, which a table with addresses relative to "data"
/// means.
void* data_base(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto* each = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + segment.p_vaddr);
    for (; each->d_tag != DT_NULL; ++each) {
      // The loader has made it an address.
      if (each->d_tag == DT_PLTGOT) return reinterpret_cast<void*>(each->d_un.d_ptr);
    }
  }
  return nullptr;
}

/// Fills what the unwinder reads, and the bounds. Not every machine's record has a data base.
template <class Record>
void fill(Record& result, const dl_phdr_info& object, void* table) {
  std::uintptr_t low = UINTPTR_MAX;
  std::uintptr_t high = 0;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t start = object.dlpi_addr + segment.p_vaddr;
    low = start < low ? start : low;
    high = start + segment.p_memsz > high ? start + segment.p_memsz : high;
  }
  result = {};
  result.dlfo_map_start = reinterpret_cast<void*>(low);
  result.dlfo_map_end = reinterpret_cast<void*>(high);
  result.dlfo_eh_frame = table;
  if constexpr (requires { result.dlfo_eh_dbase; }) result.dlfo_eh_dbase = data_base(object);
}

int look_at(dl_phdr_info* object, std::size_t, void* data) {
  const search& wanted = *static_cast<search*>(data);
  bool here = false;
  void* table = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    here = here || holds(*object, segment, reinterpret_cast<std::uintptr_t>(wanted.address));
    if (segment.p_type == PT_GNU_EH_FRAME) {
      table = reinterpret_cast<void*>(object->dlpi_addr + segment.p_vaddr);
    }
  }
  if (!here) return 0;
  // Without a table there is nothing to unwind by: as if no object were there.
  if (table == nullptr) return -1;
  fill(*wanted.result, *object, table);
  return 1;
}

}  // namespace

namespace kasuri::older {

int find_object(void* address, dl_find_object* result) noexcept {
  search wanted{address, result};
  return ::dl_iterate_phdr(look_at, &wanted) == 1 ? 0 : -1;
}

}  // namespace kasuri::older

extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept {
  constinit static std::atomic<decltype(&kasuri::older::find_object)> found{nullptr};
  return kasuri::older::real_or(&kasuri::older::find_object, "_dl_find_object", found)(address,
                                                                                       result);
}
