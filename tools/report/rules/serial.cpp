// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

// What one thread did outside of all constructs while no other ran. Samples tell it, since a worker
// may do it as well (kasuri::run), and then the account says work.
std::optional<finding> serial_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  double alone = 0;
  for (const hot_place& h : m.hot(false)) alone += h.alone_s;
  alone = std::min(alone, m.seconds());
  if (gil_rule(m)) return {};  // it says why
  if (m.workers() < 2 || alone < worth_saying * m.seconds()) return {};
  auto functions = m.hot_functions(false);
  std::ranges::sort(functions, std::greater{}, &hot_place::alone_s);
  finding f{.rule = "serial", .where = functions.front().where};
  f.gain_s = alone * (1 - 1.0 / m.workers());
  f.sentence =
      say("For %s of %s one thread runs alone, outside of all tasks and regions, %s%s: %s.",
          duration(alone).c_str(), duration(m.seconds()).c_str(),
          functions.size() > 1 ? "most of it" : "all of it", at_place(f.where).c_str(),
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Run that part in parallel too, or beside something else.";
  return f;
}

}  // namespace kasuri::report
