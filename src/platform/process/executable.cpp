// SPDX-License-Identifier: Apache-2.0
#include "platform/process/executable.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>  // for program_invocation_short_name
#include <link.h>
#include <unistd.h>

#include <cstring>

namespace kasuri::platform {
namespace {

constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

// A note segment is a row of {sizes, type, name, contents}, the last two padded to four bytes.
std::span<const std::byte> find_build_id(std::span<const std::byte> notes) noexcept {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes.data(), sizeof header);
    const std::size_t contents = sizeof header + round_up(header.n_namesz);
    const std::size_t next = contents + round_up(header.n_descsz);
    if (next > notes.size()) break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof "GNU" &&
        std::memcmp(notes.data() + sizeof header, "GNU", sizeof "GNU") == 0) {
      return notes.subspan(contents, header.n_descsz);
    }
    notes = notes.subspan(next);
  }
  return {};
}

std::span<const std::byte> build_id_in(const dl_phdr_info* object) noexcept {
  std::span<const std::byte> found;
  for (int i = 0; i < object->dlpi_phnum && found.empty(); ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto address = object->dlpi_addr + segment.p_vaddr;
    found = find_build_id({reinterpret_cast<const std::byte*>(address), segment.p_memsz});
  }
  return found;
}

// The first object visited is the program itself; the result 1 ends the walk there.
int visit_program(dl_phdr_info* object, std::size_t, void* result) noexcept {
  *static_cast<std::span<const std::byte>*>(result) = build_id_in(object);
  return 1;
}

struct search {
  std::uintptr_t address;
  std::span<const std::byte> found;
};

int visit_holder(dl_phdr_info* object, std::size_t, void* result) noexcept {
  auto& wanted = *static_cast<search*>(result);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    const auto start = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && wanted.address - start < segment.p_memsz) {
      wanted.found = build_id_in(object);
      return 1;
    }
  }
  return 0;
}

}  // namespace

std::span<const std::byte> build_id() noexcept {
  std::span<const std::byte> found;
  dl_iterate_phdr(visit_program, &found);
  return found;
}

std::span<const std::byte> build_id_of(const void* address) noexcept {
  search wanted{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(visit_holder, &wanted);
  return wanted.found;
}

void keep_loaded(const void* address) noexcept {
  Dl_info holder{};
  if (::dladdr(address, &holder) == 0 || holder.dli_fname == nullptr) return;
  // Refused for the program itself, which nobody closes. The name is the one that it was loaded by,
  // so that the loader knows it even where the file is gone.
  ::dlopen(holder.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

const char* other_holder_of(const void* address, const char* symbol, const void* mine) noexcept {
  Dl_info theirs{};
  Dl_info ours{};
  if (::dladdr(address, &theirs) == 0 || ::dladdr(mine, &ours) == 0) return nullptr;
  if (theirs.dli_fname == nullptr || theirs.dli_fbase == ours.dli_fbase) return nullptr;
  void* const object = ::dlopen(theirs.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return nullptr;
  const bool shows = ::dlsym(object, symbol) != nullptr;
  ::dlclose(object);
  return shows ? theirs.dli_fname : nullptr;
}

const char* program_name() noexcept { return program_invocation_short_name; }

std::uint32_t process_id() noexcept { return static_cast<std::uint32_t>(::getpid()); }

}  // namespace kasuri::platform
