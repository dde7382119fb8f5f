// SPDX-License-Identifier: Apache-2.0
#include "report/ranks/clocks.hpp"

#include <algorithm>
#include <limits>

namespace kasuri::report {
namespace {

/// The lead of a host's clock over the first rank's, in ns.
struct ahead {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// `a` came before `b` went on, and `b` before `a`.
void bound(ahead& b_is, const rank_clock& a, const rank_clock& b) {
  for (std::size_t i = 0; i < std::min(a.meetings.size(), b.meetings.size()); ++i) {
    const auto latest = static_cast<double>(b.meetings[i].went_on - a.meetings[i].came);
    const auto earliest = static_cast<double>(b.meetings[i].came - a.meetings[i].went_on);
    b_is.most = std::min(b_is.most, latest);
    b_is.least = std::max(b_is.least, earliest);
  }
}

/// By the meetings of all ranks of the two hosts.
ahead clock_of(const std::string& host, const std::vector<rank_clock>& ranks) {
  ahead result;
  for (const rank_clock& a : ranks)
    for (const rank_clock& b : ranks)
      if (a.host == ranks.front().host && b.host == host) bound(result, a, b);
  return result;
}

}  // namespace

std::vector<rank_start> starts_of(const std::vector<rank_clock>& ranks) {
  constexpr double s_per_ns = 1e-9;
  std::vector<rank_start> starts;
  for (const rank_clock& r : ranks) {
    const auto apart = static_cast<double>(r.started - ranks.front().started);
    if (r.host == ranks.front().host) {
      starts.push_back({s_per_ns * apart, 0});
      continue;
    }
    const ahead clock = clock_of(r.host, ranks);
    if (clock.most < clock.least || clock.most - clock.least > 1e18)  // none, or none that agree
      starts.push_back({s_per_ns * apart, -1});
    else
      starts.push_back({s_per_ns * (apart - (clock.least + clock.most) / 2),
                        s_per_ns * (clock.most - clock.least) / 2});
  }
  double first = 0;
  for (const rank_start& s : starts) first = std::min(first, s.s);
  for (rank_start& s : starts) s.s -= first;
  return starts;
}

}  // namespace kasuri::report
