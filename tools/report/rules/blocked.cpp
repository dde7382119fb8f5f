// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {
std::optional<finding> blocked_rule(const measures& m) {
  constexpr double worth_saying = 0.05;
  std::map<std::pair<std::string, std::uint64_t>, double> by_call;
  for (const system_wait& w : m.of.waits)
    if (w.in_pool && w.call != "futex()") by_call[{w.call, w.caller}] += w.s;
  const auto most = std::ranges::max_element(by_call, {}, [](const auto& e) { return e.second; });
  if (most == by_call.end() || m.part(most->second) < worth_saying) return {};
  finding f{.rule = "blocked", .where = m.where.at(most->first.second)};
  // Others run meanwhile, as long as there is work for them.
  const double busy = m.all_work() / m.workers();
  f.gain_s = std::clamp(m.seconds() - busy, 0.0, most->second / m.workers());
  f.sentence = say("Tasks sleep in %s%s for %s in all, and their workers with them: %s.",
                   most->first.first.c_str(), at_place(f.where).c_str(),
                   duration(most->second).c_str(), how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice = "Put the call into kasuri::blocking, so that another thread runs tasks meanwhile.";
  return f;
}

}  // namespace kasuri::report
