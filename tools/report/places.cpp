// SPDX-License-Identifier: Apache-2.0
#include "report/places.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "report/profile.hpp"
#include "report/words.hpp"
#include "symbols/symbols.hpp"

namespace kasuri::report {
namespace {

std::vector<symbols::module> modules_of(const profile& p) {
  std::vector<symbols::module> all;
  for (const mapped_module& m : p.modules)
    all.push_back({.path = m.path,
                   .base = m.base,
                   .begin = m.begin,
                   .end = m.end,
                   .build_id = m.build_id,
                   .of_program = m.of_program});
  return all;
}

/// Lines that are not the user's are left out.
place from(const symbols::place& p) {
  place r{.file = "", .line = 0, .function = p.function, .module = p.module};
  if (p.of_user) {
    r.file = p.file;
    r.line = p.line;
  }
  if (r.function.empty() && r.file.empty() && !r.module.empty())
    r.module += say("+%#llx", static_cast<unsigned long long>(p.offset));
  return r;
}

/// Code of Python's interpreter: what runs there is a line of Python.
bool is_interpreter(const place& p) {
  return p.function.starts_with("_PyEval") || p.module.starts_with("libpython") ||
         p.module.starts_with("python3");
}

std::string without_folder(const std::string& file) { return file.substr(file.rfind('/') + 1); }

/// The line of Python at which threads were found most while that site ran on them, of the function
/// in which they were most; an unknown place if none was.
place python_place(const profile& p, int site) {
  std::map<std::pair<std::string, std::string>, double> of_function;
  for (const python_line& l : p.python)
    if (l.site == site) of_function[{l.file, l.function}] += l.s;
  const python_line* most = nullptr;
  const auto weight = [&](const python_line& l) {
    return std::pair(of_function[{l.file, l.function}], l.s);
  };
  for (const python_line& l : p.python)
    if (l.site == site && (most == nullptr || weight(l) > weight(*most))) most = &l;
  if (most == nullptr) return {};
  return {.file = without_folder(most->file), .line = most->line, .function = most->function};
}

/// The instruction of the program that most of the site's time was in; 0: no sample is there.
std::uint64_t hottest_of(const profile& p, int site) {
  std::map<std::uint64_t, double> by_pc;
  for (const sample& s : p.samples)
    if (s.site == site) by_pc[s.pc] += s.processor_s - s.waited_s;
  const auto most = std::ranges::max_element(by_pc, {}, [](const auto& e) { return e.second; });
  return most == by_pc.end() ? 0 : most->first;
}

/// Whether the address of such a site is the entry of the code that runs, and not where a call
/// returns to.
bool is_code(const std::string& kind) {
  return kind == "fork" || kind == "group_task" || kind == "thread";
}

/// A function as it stands in parentheses: of "main (parallel region)", "main, parallel region".
std::string in_parentheses(std::string_view function) {
  for (const std::string_view what : {"(parallel region)", "(task)"}) {
    if (!function.ends_with(what)) continue;
    function.remove_suffix(what.size());
    const std::string construct(what.substr(1, what.size() - 2));
    if (function.ends_with(' ')) function.remove_suffix(1);
    return function.empty() ? construct : std::string(function) + ", " + construct;
  }
  return std::string(function);
}

}  // namespace

std::string place::text() const {
  if (!file.empty())
    return say("%s:%d", file.c_str(), line) +
           (function.empty() ? "" : " (" + in_parentheses(function) + ")");
  if (!function.empty()) return function + (module.empty() ? "" : " in " + module);
  return module;
}

struct places::state {
  explicit state(const profile& of) : p(of), lines(modules_of(of)) {}
  const profile& p;
  symbols::symboliser lines;
  std::map<std::uint64_t, place> known;
  std::map<int, place> sites;
  const place nowhere;
};

places::places(const profile& of) : state_(std::make_unique<state>(of)) {}
places::~places() = default;

const place& places::at(std::uint64_t address) const {
  if (address == 0) return state_->nowhere;
  const auto [found, fresh] = state_->known.try_emplace(address);
  if (!fresh) return found->second;
  found->second = from(state_->lines.at(address));
  if (is_interpreter(found->second)) {
    place line = python_place(state_->p, 0);
    if (line.known()) found->second = std::move(line);
  }
  return found->second;
}

std::vector<std::string> places::functions_at(std::uint64_t address) const {
  const symbols::place p = state_->lines.at(address);
  std::vector<std::string> names{p.function};
  for (const symbols::frame& f : p.inlined_into) names.push_back(f.function);
  return names;
}

const place& places::of_site(int id) const {
  const auto site = state_->p.sites.find(id);
  if (site == state_->p.sites.end()) return state_->nowhere;
  const auto [found, fresh] = state_->sites.try_emplace(id);
  if (!fresh) return found->second;
  place& p = found->second;
  // The members' function says where the construct is; its call may have been inlined away from it.
  if (site->second.code != 0) p = from(state_->lines.code(site->second.code));
  if (p.file.empty())
    p = from(is_code(site->second.kind) ? state_->lines.code(site->second.address)
                                        : state_->lines.before(site->second.address));
  if (p.file.empty()) {
    place line = python_place(state_->p, id);
    if (line.known()) p = std::move(line);
  }
  // All pointers to functions of one type are run by the same code: what runs there tells them
  // apart.
  if (p.file.empty()) {
    const std::uint64_t hottest = hottest_of(state_->p, id);
    place around = hottest == 0 ? place{} : from(state_->lines.function_around(hottest));
    if (around.file.empty()) around = at(hottest);  // inlined into Kasuri's
    if (!around.file.empty()) p = std::move(around);
  }
  return p;
}

}  // namespace kasuri::report
