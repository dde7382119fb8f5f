// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/modules.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process/executable.hpp"
#include "platform/process/module_range.hpp"
#include "profile/base/json.hpp"

namespace kasuri::profile {
namespace {

struct module {
  std::string path;
  std::uintptr_t base = 0;
  std::uintptr_t begin = 0;  // of its code
  std::uintptr_t end = 0;
  bool of_program = false;
};

struct code_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};
/// What handlers read: code of the program's own, in rising order. Never freed while the process
/// lives, since a handler may stand in it; it is made anew only when a module was added.
using ranges = std::vector<code_range>;
constinit std::atomic<const ranges*> programs{nullptr};

std::vector<module>& known() {
  static std::vector<module> all;
  return all;
}

bool is_of_program(std::string_view path) {
  constexpr std::string_view others[] = {"ld-linux",  "libc.so",    "libm.so",   "libpthread",
                                         "librt.so",  "libdl.so",   "libstdc++", "libgcc_s",
                                         "libc++",    "libgomp",    "libomp",    "libiomp",
                                         "libkasuri", "linux-vdso", "libmvec"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::none_of(others, [name](std::string_view o) { return name.starts_with(o); });
}

std::string path_of_program() {
  char text[4096];
  const ssize_t n = readlink("/proc/self/exe", text, sizeof text);
  return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : platform::program_name();
}

int note_module(dl_phdr_info* info, std::size_t, void* grew) {
  module m;
  const bool first = info->dlpi_name == nullptr || info->dlpi_name[0] == '\0';
  m.path = first ? path_of_program() : info->dlpi_name;
  m.base = info->dlpi_addr;
  for (int i = 0; i != info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& h = info->dlpi_phdr[i];
    if (h.p_type != PT_LOAD || (h.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = m.base + h.p_vaddr;
    m.begin = m.begin == 0 ? begin : std::min(m.begin, begin);
    m.end = std::max(m.end, begin + h.p_memsz);
  }
  if (m.begin == m.end) return 0;
  m.of_program = is_of_program(m.path);
  for (const module& k : known())
    if (k.begin == m.begin && k.path == m.path) return 0;
  known().push_back(std::move(m));
  *static_cast<bool*>(grew) = true;
  return 0;
}

bool holds(const ranges& all, std::uintptr_t at) noexcept {
  const auto next = std::ranges::upper_bound(all, at, {}, &code_range::begin);
  return next != all.begin() && at < (next - 1)->end;
}

}  // namespace

void note_modules() {
  bool grew = false;
  dl_iterate_phdr(note_module, &grew);
  if (!grew) return;
  auto* const now = new ranges;
  for (const module& m : known())
    if (m.of_program) now->push_back({m.begin, m.end});
  std::ranges::sort(*now, {}, &code_range::begin);
  // release: pairs with the acquires below
  programs.store(now, std::memory_order_release);
}

std::uintptr_t caller_among(const std::uintptr_t* stack, std::size_t words) noexcept {
  // acquire: pairs with the release in note_modules
  const ranges* const own = programs.load(std::memory_order_acquire);
  if (own == nullptr) return 0;
  for (std::size_t i = 0; i != words; ++i)
    if (holds(*own, stack[i])) return stack[i] - 1;
  return 0;
}

bool runtime_called(const std::uintptr_t* stack, std::size_t words) noexcept {
  static const platform::module_range ours =
      platform::module_range_of(reinterpret_cast<const void*>(&note_modules));
  // acquire: pairs with the release in note_modules
  const ranges* const own = programs.load(std::memory_order_acquire);
  if (own == nullptr || holds(*own, reinterpret_cast<std::uintptr_t>(&note_modules))) return false;
  for (std::size_t i = 0; i != words; ++i) {
    if (holds(*own, stack[i])) return false;
    if (ours.holds(reinterpret_cast<const void*>(stack[i]))) return true;
  }
  return false;
}

std::uintptr_t place_in_program(std::uintptr_t pc, std::uintptr_t sp) noexcept {
  constexpr std::size_t page = 4096;
  constexpr std::size_t most_words = 128;
  // acquire: pairs with the release in note_modules
  const ranges* const own = programs.load(std::memory_order_acquire);
  if (own == nullptr || sp == 0 || holds(*own, pc)) return pc;
  // Within the page of the stack's end: what lies beyond may be no stack any more.
  const std::size_t words = std::min((page - sp % page) / sizeof(std::uintptr_t), most_words);
  const std::uintptr_t found = caller_among(reinterpret_cast<const std::uintptr_t*>(sp), words);
  return found != 0 ? found : pc;
}

void write_modules(json& to) {
  to.begin_array();
  for (const module& m : known()) {
    to.begin_object().pair("path", std::string_view(m.path));
    to.key("base").address(reinterpret_cast<const void*>(m.base));
    to.key("begin").address(reinterpret_cast<const void*>(m.begin));
    to.key("end").address(reinterpret_cast<const void*>(m.end));
    std::string id;
    for (const std::byte b : platform::build_id_of(reinterpret_cast<const void*>(m.begin))) {
      char two[3];
      std::snprintf(two, sizeof two, "%02x", std::to_integer<unsigned>(b));
      id += two;
    }
    to.pair("build_id", std::string_view(id)).pair("of_program", m.of_program);
    to.end_object();
  }
  to.end_array();
}

}  // namespace kasuri::profile
