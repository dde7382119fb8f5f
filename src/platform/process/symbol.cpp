// SPDX-License-Identifier: Apache-2.0
#include "platform/process/symbol.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>  // for program_invocation_short_name
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace kasuri::platform {

/// A file of a program or library, mapped. A part that would lie out of its bounds counts as
/// absent.
class symbols::file {
 public:
  explicit file(const std::string& path) : path_(path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    struct stat status{};
    if (::fstat(fd, &status) == 0 && status.st_size > 0) {
      const auto bytes = static_cast<std::size_t>(status.st_size);
      void* const at = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(at), bytes};
    }
    ::close(fd);
    find_table();
  }
  ~file() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  const std::string& path() const noexcept { return path_; }

  /// The function that holds the address `value` of the file's own numbering, or null.
  const char* function_at(std::uintptr_t value) const noexcept {
    for (const ElfW(Sym) & s : table_) {
      if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || value - s.st_value >= s.st_size) continue;
      if (s.st_name < names_.size())
        return reinterpret_cast<const char*>(names_.data()) + s.st_name;
    }
    return nullptr;
  }

 private:
  std::span<const std::byte> part(std::size_t offset, std::size_t size) const noexcept {
    if (offset > bytes_.size() || size > bytes_.size() - offset) return {};
    return bytes_.subspan(offset, size);
  }

  template <class T>
  std::span<const T> row(std::size_t offset, std::size_t bytes) const noexcept {
    if (offset % alignof(T) != 0) return {};
    const auto found = part(offset, bytes);
    return {reinterpret_cast<const T*>(found.data()), found.size() / sizeof(T)};
  }

  void find_table() noexcept {
    const auto header = row<ElfW(Ehdr)>(0, sizeof(ElfW(Ehdr)));
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return;
    const auto sections =
        row<ElfW(Shdr)>(header[0].e_shoff, std::size_t{header[0].e_shnum} * sizeof(ElfW(Shdr)));
    for (const ElfW(Shdr) & s : sections) {
      if (s.sh_type != SHT_SYMTAB || s.sh_link >= sections.size()) continue;
      const ElfW(Shdr)& names = sections[s.sh_link];
      names_ = part(names.sh_offset, names.sh_size);
      if (names_.empty() || names_.back() != std::byte{0}) names_ = {};
      table_ = row<ElfW(Sym)>(s.sh_offset, s.sh_size);
    }
  }

  const std::string path_;
  std::span<const std::byte> bytes_;
  std::span<const std::byte> names_;
  std::span<const ElfW(Sym)> table_;
};

namespace {

std::string readable(const char* linked) {
  int status = 0;
  char* const text = abi::__cxa_demangle(linked, nullptr, nullptr, &status);
  std::string name = text == nullptr ? linked : text;
  std::free(text);
  return name;
}

}  // namespace

symbols::symbols() = default;
symbols::~symbols() = default;

symbols::place symbols::at(const void* address) {
  Dl_info holder{};
  void* extra = nullptr;
  if (::dladdr1(address, &holder, &extra, RTLD_DL_LINKMAP) == 0) return {};
  const auto* const map = static_cast<const link_map*>(extra);
  // The loader has no name for the program itself.
  const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
  const std::string path = is_program ? "/proc/self/exe" : map->l_name;
  const char* const shown =
      is_program ? program_invocation_short_name
                 : (std::strrchr(map->l_name, '/') != nullptr ? std::strrchr(map->l_name, '/') + 1
                                                              : map->l_name);
  const std::uintptr_t value = reinterpret_cast<std::uintptr_t>(address) - map->l_addr;
  place found{{}, {}, shown, value};
  file* known = nullptr;
  for (const auto& f : files_)
    if (f->path() == path) known = f.get();
  if (known == nullptr) known = files_.emplace_back(std::make_unique<file>(path)).get();
  const char* name = known->function_at(value);
  if (name == nullptr) name = holder.dli_sname;
  if (name == nullptr) return found;
  found.linked = name;
  found.function = readable(name);
  return found;
}

}  // namespace kasuri::platform
