// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/wire/modules.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "kasuri/global/function_ref.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::cluster {
namespace {

struct module {
  std::uintptr_t base;   // addresses are counted from here
  std::uintptr_t begin;  // of all that is loaded
  std::uintptr_t end;
  std::uint32_t number;
};

/// FNV-1a.
void mix(std::uint32_t& number, const void* data, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i != bytes; ++i) number = (number ^ at[i]) * 16777619u;
}

/// The build id, where the linker has left one.
bool mix_build_id(std::uint32_t& number, const dl_phdr_info& info, const ElfW(Phdr) & notes) {
  const char* at = reinterpret_cast<const char*>(info.dlpi_addr + notes.p_vaddr);
  const char* const end = at + notes.p_memsz;
  const auto rounded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const char* const name = at + sizeof note;
    const char* const content = name + rounded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      mix(number, content, note.n_descsz);
      return true;
    }
    at = content + rounded(note.n_descsz);
  }
  return false;
}

module described(const dl_phdr_info& info) {
  module m{info.dlpi_addr, UINTPTR_MAX, 0, 2166136261u};
  bool has_id = false;
  for (int i = 0; i != info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type == PT_NOTE && !has_id) has_id = mix_build_id(m.number, info, part);
    if (part.p_type != PT_LOAD) continue;
    m.begin = std::min<std::uintptr_t>(m.begin, info.dlpi_addr + part.p_vaddr);
    m.end = std::max<std::uintptr_t>(m.end, info.dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  if (has_id) return m;
  // Without an id: the code itself.
  for (int i = 0; i != info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 && (part.p_flags & PF_R) != 0)
      mix(m.number, reinterpret_cast<const void*>(info.dlpi_addr + part.p_vaddr), part.p_filesz);
  }
  return m;
}

class module_list {
 public:
  template <class Match>
  const module* find(Match match) {
    const std::lock_guard hold(lock_);
    if (const module* m = known(match)) return m;
    list_.clear();  // one may have been loaded since
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* all) {
          static_cast<std::vector<module>*>(all)->push_back(described(*info));
          return 0;
        },
        &list_);
    return known(match);
  }

 private:
  template <class Match>
  const module* known(Match match) {
    const auto found = std::ranges::find_if(list_, match);
    if (found == list_.end()) return nullptr;
    recent_ = *found;  // the list may be made anew
    return &recent_;
  }

  platform::mutex lock_;
  std::vector<module> list_;
  static thread_local module recent_;
};

thread_local module module_list::recent_{};

module_list& modules() {
  static module_list all;
  return all;
}

}  // namespace

std::uint64_t portable_address(const void* p) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  const module* const m =
      modules().find([at](const module& x) { return at >= x.begin && at < x.end; });
  if (m == nullptr || at - m->base > UINT32_MAX)
    platform::fatal(
        "the code or constant at %p that is to travel lies in no module that other processes "
        "could know",
        p);
  return std::uint64_t{m->number} << 32 | (at - m->base);
}

const void* local_address(std::uint64_t portable) {
  const auto number = static_cast<std::uint32_t>(portable >> 32);
  const module* const m = modules().find([number](const module& x) { return x.number == number; });
  if (m == nullptr)
    platform::fatal(
        "a closure came from module %08x, which this process has not loaded; accepted: the "
        "same build of the program on all ranks",
        number);
  return reinterpret_cast<const void*>(m->base + static_cast<std::uint32_t>(portable));
}

std::uint32_t program_number() {
  std::uint32_t number = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* first) {
        *static_cast<std::uint32_t*>(first) = described(*info).number;
        return 1;  // the first is the program
      },
      &number);
  return number;
}

}  // namespace kasuri::cluster

namespace kasuri::global::detail {

std::uint64_t portable_place(const void* at) { return cluster::portable_address(at); }

const void* place_here(std::uint64_t portable) { return cluster::local_address(portable); }

}  // namespace kasuri::global::detail
