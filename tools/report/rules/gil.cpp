// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

// Python's threads sleep in the function of its interpreter that takes the lock.
std::optional<finding> gil_rule(const measures& m) {
  constexpr double worth_saying = 0.2;
  double waited = 0;
  place where;
  for (const system_wait& w : m.of.waits) {
    const auto around = m.where.functions_at(w.caller);
    if (std::ranges::none_of(around, [](const std::string& f) {
          return f.starts_with("take_gil") || f.starts_with("PyEval_RestoreThread");
        }))
      continue;
    waited += w.s;
    where = m.where.at(w.caller);
  }
  if (waited < worth_saying * m.seconds()) return {};
  finding f{.rule = "gil", .where = where};
  f.gain_s = std::min(waited / m.workers(), m.seconds() * (1 - 1.0 / m.workers()));
  f.sentence =
      say("Python threads wait for each other (the interpreter's lock) for about %s in all: "
          "%s.",
          duration(waited).c_str(), how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Use processes, let the work release the lock, or a Python without it.";
  return f;
}

}  // namespace kasuri::report
