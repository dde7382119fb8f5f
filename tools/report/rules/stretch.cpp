// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

struct site_stretch {
  place where;
  double here_s = 0;  // processor time on all workers
  double one_s = 0;   // ... on one
};

/// Of a file without names all is one.
std::string name_of(const place& where) {
  const std::string module = where.module.substr(0, where.module.find('+'));
  return where.function + ' ' + module;
}

/// Processor time by function, of this run and of that on one worker. Addresses differ from run to
/// run; functions do not.
std::vector<site_stretch> by_function(const measures& m, const places& one_places) {
  const measures one(*m.on_one, nullptr, one_places);
  std::map<std::string, site_stretch> all;
  for (const bool in : {false, true}) {
    for (const hot_place& h : m.hot_functions(in)) {
      site_stretch& s = all[name_of(h.where)];
      if (s.here_s == 0) s.where = h.where;
      s.here_s += h.processor_s;
    }
    for (const hot_place& h : one.hot_functions(in)) all[name_of(h.where)].one_s += h.processor_s;
  }
  std::vector<site_stretch> list;
  for (auto& [name, s] : all) list.push_back(std::move(s));
  return list;
}

/// Whether both runs created as many tasks: a program may ask how many workers there are, and then
/// does other work on one. Loops divide as thieves ask, so forks do not count.
bool did_the_same(const profile& a, const profile& b) {
  constexpr double noise = 0.02;
  const auto tasks = [](const profile& p) {
    double n = 0;
    for (const task_kind& t : p.tasks)
      if (t.kind != "fork") n += t.count;
    return n;
  };
  return std::abs(tasks(a) - tasks(b)) <= noise * std::max(tasks(a), tasks(b));
}

/// What a task does in a function of its own on one worker may be part of another on several: no
/// function is to blame for more than the run as a whole is longer.
double longer_in_all(const std::vector<site_stretch>& functions) {
  double longer = 0;
  for (const site_stretch& s : functions) longer += s.here_s - s.one_s;
  return longer;
}

}  // namespace

double stretch_in_file(const measures& m, const place& where) {
  if (m.on_one == nullptr || m.workers() < 2 || !did_the_same(m.of, *m.on_one)) return 0;
  const places one_places(*m.on_one);
  const auto functions = by_function(m, one_places);
  double longer = 0;
  for (const site_stretch& s : functions)
    if (s.where.file == where.file && s.where.module == where.module) longer += s.here_s - s.one_s;
  return std::clamp(longer, 0.0, std::max(0.0, longer_in_all(functions)));
}

std::optional<finding> stretch_rule(const measures& m) {
  if (first_touch_rule(m)) return {};  // it says why
  return stretched_work(m);
}

std::optional<finding> stretched_work(const measures& m) {
  constexpr double worth_saying = 1.2;
  if (m.on_one == nullptr || m.workers() < 2 || !did_the_same(m.of, *m.on_one)) return {};
  const places one_places(*m.on_one);
  const auto functions = by_function(m, one_places);
  const auto most = std::ranges::max_element(
      functions, {}, [](const site_stretch& s) { return s.here_s - s.one_s; });
  if (most == functions.end() || most->one_s <= 0) return {};
  // Who waits for a lock awake works longer for that reason.
  if (const auto lock = lock_rule(m); lock && lock->where.file == most->where.file) return {};
  const double stretch = most->here_s / most->one_s;
  if (stretch < worth_saying) return {};
  finding f{.rule = "stretch", .where = most->where, .sure = m.part_of_others() < 0.05};
  f.gain_s = std::min(most->here_s - most->one_s, longer_in_all(functions)) / m.workers();
  if (f.gain_s < least_gain * m.seconds()) return {};
  // Bandwidth that is shared by P can stretch work by P and no more.
  const bool lines = stretch > m.workers() * 1.1;
  f.sentence =
      say("The same work%s takes %.1f times as much processor time on %d workers as on one: "
          "%s; %s.",
          at_place(f.where).c_str(), stretch, m.workers(),
          lines ? "several workers write to the same cache lines, or one waits for another in a "
                  "loop of the program"
                : "memory is the limit, or cache lines that several workers write to",
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = lines
                 ? "Give each worker data of its own (kasuri::combinable, alignas(64)); let nobody "
                   "wait by looking at a variable again and again."
                 : "Touch less memory for each step, keep together what is used together, and put "
                   "apart what different workers write.";
  return f;
}

}  // namespace kasuri::report
