// SPDX-License-Identifier: Apache-2.0
#include "report/places.hpp"

#include <map>

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

place from(const symbols::place& p) {
  place r{.file = p.file, .line = p.line, .function = p.function, .module = p.module};
  if (r.function.empty() && r.file.empty() && !r.module.empty())
    r.module += say("+%#llx", static_cast<unsigned long long>(p.offset));
  return r;
}

/// Whether the address of such a site is the entry of the code that runs, and not where a call
/// returns to.
bool is_code(const std::string& kind) {
  return kind == "fork" || kind == "group_task" || kind == "thread";
}

}  // namespace

std::string place::text() const {
  if (!file.empty())
    return say("%s:%d", file.c_str(), line) + (function.empty() ? "" : " (" + function + ")");
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
  if (fresh) found->second = from(state_->lines.at(address));
  return found->second;
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
  return p;
}

}  // namespace kasuri::report
