// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

std::optional<finding> remote_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  double waited = m.of.write_back_s;
  for (const checkout_site& c : m.of.checkouts) waited += c.wait_s;
  waited *= 1 - m.part_of_others();  // it waited for them meanwhile
  if (m.of.checkouts.empty() || waited < worth_saying * m.seconds() * m.workers()) return {};
  const auto most = std::ranges::max_element(m.of.checkouts, {}, &checkout_site::wait_s);
  finding f{.rule = "remote", .where = m.where.of_site(most->site)};
  constexpr double longest = 0.9;  // the rest of the work stays
  f.gain_s = std::min(waited / m.workers(), longest * m.seconds());
  double all = 0;
  for (const double b : m.of.bytes_by_rank) all += b;
  const auto from = std::ranges::max_element(m.of.bytes_by_rank);
  const std::string source = all > 0
                                 ? say(" (%.0f %% of %.4g MB are of rank %td)", 100 * *from / all,
                                       all / 1e6, from - m.of.bytes_by_rank.begin())
                                 : "";
  f.sentence =
      say("To fetch data of other ranks and bring back what was written takes %s%s, most of "
          "it for the checkout%s: %s.",
          duration(waited).c_str(), source.c_str(), at_place(f.where).c_str(),
          how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice =
      "Distribute the array over all ranks, let each rank work on its own part, or enlarge the "
      "cache "
      "(KASURI_CACHE_SIZE).";
  return f;
}

}  // namespace kasuri::report
