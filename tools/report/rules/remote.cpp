// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/words.hpp"

namespace kasuri::report {

std::optional<finding> remote_rule(const measures& m) {
  constexpr double worth_saying = 0.1;
  double waited = 0;
  for (const checkout_site& c : m.of.checkouts) waited += c.wait_s;
  if (waited < worth_saying * m.seconds() * m.workers()) return {};
  const auto most = std::ranges::max_element(m.of.checkouts, {}, &checkout_site::wait_s);
  finding f{.rule = "remote", .where = m.where.of_site(most->site)};
  f.gain_s = waited / m.workers();
  double all = 0;
  for (const double b : m.of.bytes_by_rank) all += b;
  const auto from = std::ranges::max_element(m.of.bytes_by_rank);
  const std::string source = all > 0
                                 ? say(" (%.0f %% of %.3g MB are from rank %td)", 100 * *from / all,
                                       all / 1e6, from - m.of.bytes_by_rank.begin())
                                 : "";
  f.sentence = say("Checkouts wait for data of other ranks for %s%s, most of it%s: %s.",
                   duration(waited).c_str(), source.c_str(), at_place(f.where).c_str(),
                   how_much_faster(m.seconds(), f.gain_s).c_str());
  f.advice =
      "Distribute the array over all ranks, let each rank work on its own part, or enlarge the "
      "cache "
      "(KASURI_CACHE_SIZE).";
  return f;
}

}  // namespace kasuri::report
