// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>

#include "elf/bytes.hpp"
#include "elf/mapped_file.hpp"
#include "symbols/binary.hpp"
#include "symbols/function_names.hpp"
#include "symbols/lines.hpp"
#include "symbols/symbols.hpp"

namespace kasuri::symbols {

namespace fs = std::filesystem;

struct symboliser::opened : module {
  explicit opened(module m) : module(std::move(m)) {}
  bool tried = false;
  std::optional<binary> file;
  std::unique_ptr<lines> debug;

  /// The symbol of the function that holds an address of the process; empty: not known.
  std::string symbol(std::uint64_t address) const {
    const binary::function* f = file ? file->function_at(address - base) : nullptr;
    return f == nullptr ? "" : f->symbol;
  }
};

namespace {

std::string current_folder() {
  std::error_code error;
  return fs::current_path(error).string();
}

bool is_vdso(const std::string& path) { return path.find("vdso") != std::string::npos; }

// The outermost function has its whole name, inlined ones may have a part of it.
bool is_user(const frame& f, const std::string& outermost) {
  return f.line != 0 && !is_library_file(f.path) && !is_runtime_code(outermost, f.path);
}

std::string place_in_module(const place& p) {
  char offset[24];
  std::snprintf(offset, sizeof offset, "0x%llx", static_cast<unsigned long long>(p.offset));
  return p.module.empty() ? offset : p.module + '+' + offset;
}

}  // namespace

std::string text(const place& p) {
  if (p.of_user) {
    const std::string line = p.file + ':' + std::to_string(p.line);
    return p.function.empty() ? line : p.function + " in " + line;
  }
  return p.function.empty() ? place_in_module(p) : p.function + " in " + p.module;
}

symboliser::symboliser(std::vector<module> modules) : files_(current_folder()) {
  for (module& m : modules) modules_.push_back(std::make_unique<opened>(std::move(m)));
  std::ranges::sort(modules_, {}, [](const auto& m) { return m->begin; });
}

symboliser::~symboliser() = default;
symboliser::symboliser(symboliser&&) noexcept = default;
symboliser& symboliser::operator=(symboliser&&) noexcept = default;

symboliser::opened* symboliser::module_of(std::uint64_t address) {
  const auto next =
      std::ranges::upper_bound(modules_, address, {}, [](const auto& m) { return m->begin; });
  if (next == modules_.begin() || address >= (*(next - 1))->end) return nullptr;
  opened* const found = (next - 1)->get();
  if (!found->tried) open(*found);
  return found;
}

void symboliser::open(opened& m) {
  m.tried = true;
  if (is_vdso(m.path)) return;  // the kernel's, in no file
  try {
    m.file.emplace(m.path);
  } catch (const elf::damaged& problem) {
    problems_.push_back(m.path + ": " + problem.what() + ": its code has no names and lines");
    return;
  }
  if (!m.build_id.empty() && m.build_id != m.file->build_id()) {
    problems_.push_back(m.path + ": has changed since the profile was written (build id " +
                        (m.file->build_id().empty() ? "none" : m.file->build_id()) + ", then " +
                        m.build_id + "): its code has no names and lines");
    m.file.reset();
    return;
  }
  if (!m.file->debug_file().empty()) m.debug = read_lines(m.file->debug_file());
  if (m.debug == nullptr && m.of_program)
    problems_.push_back(m.path +
                        (can_read_lines() ? ": has no debug information (compile with -g)"
                                          : ": this Kasuri was built without libdw") +
                        ": its code has no lines");
}

place symboliser::nothing_but_the_address(std::uint64_t address, const opened* m) const {
  place p;
  p.offset = m == nullptr ? address : address - m->base;
  if (m != nullptr) p.module = is_vdso(m->path) ? "[vdso]" : m->path.substr(m->path.rfind('/') + 1);
  return p;
}

frame symboliser::as_frame(const source_line& at) {
  return {at.function == "operator()" ? "{lambda}" : at.function, files_.shortened(at.path),
          at.line, at.path};
}

place symboliser::from_frames(std::uint64_t address, const opened& m,
                              const std::vector<frame>& chain) {
  place p = nothing_but_the_address(address, &m);
  if (chain.empty()) return p;
  const auto by_user = [&chain](const frame& f) { return is_user(f, chain.back().function); };
  const auto user = m.of_program ? std::ranges::find_if(chain, by_user) : chain.end();
  p.of_user = user != chain.end();
  // Code of a library alone is known by the function that is not inlined.
  const auto shown = p.of_user ? user : chain.end() - 1;
  static_cast<frame&>(p) = *shown;
  p.inlined_into.assign(shown + 1, chain.end());
  return p;
}

place symboliser::at(std::uint64_t address) {
  opened* const m = module_of(address);
  if (m == nullptr) return nothing_but_the_address(address, nullptr);
  std::vector<frame> chain;
  if (m->debug != nullptr)
    for (const source_line& each : m->debug->chain(address - m->base))
      chain.push_back(as_frame(each));
  const std::string symbol = m->symbol(address);
  if (!symbol.empty() && can_be_read(symbol)) {
    if (chain.empty()) chain.emplace_back();
    chain.back().function = readable(symbol);  // in the debug information some have short names
  }
  return from_frames(address, *m, chain);
}

place symboliser::before(std::uint64_t address) {
  opened* const m = module_of(address - 1);
  // A function whose last act is to call the runtime jumps there instead: the runtime then returns
  // to that function's caller, but the place is in the function.
  if (m != nullptr && m->debug != nullptr && m->of_program) {
    const std::optional<std::uint64_t> called = m->file->called_before(address - m->base);
    const std::optional<source_line> jump =
        called ? m->debug->jump_to_runtime(*called) : std::nullopt;
    if (jump) return from_frames(address - 1, *m, {as_frame(*jump)});
  }
  return at(address - 1);
}

place symboliser::function_around(std::uint64_t address) {
  place p = at(address);
  opened* const m = module_of(address);
  if (m == nullptr || m->debug == nullptr) return p;
  if (const auto declared = m->debug->declaration(address - m->base)) {
    const std::string name = p.inlined_into.empty() ? p.function : p.inlined_into.back().function;
    p = from_frames(address, *m, {as_frame(*declared)});
    if (!name.empty()) p.function = name;
  }
  return p;
}

place symboliser::code(std::uint64_t entry) {
  opened* const m = module_of(entry);
  if (m == nullptr) return nothing_but_the_address(entry, nullptr);
  const std::uint64_t own = entry - m->base;
  const std::string symbol = m->symbol(entry);
  const std::string closure = closure_name(symbol);
  std::optional<source_line> found;
  if (m->debug != nullptr) {
    if (is_of_kasuri(symbol))
      found = m->debug->closure(own);
    else if (!is_outlined(symbol))
      found = m->debug->declaration(own);
    if (!found) found = m->debug->first_of_user(own);
  }
  place p = found ? from_frames(entry, *m, {as_frame(*found)}) : at(entry);
  if (!closure.empty()) p.function = closure;
  return p;
}

}  // namespace kasuri::symbols
