// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace kasuri::cluster {
namespace {

using global::rank_counters;

struct column {
  const char* title;
  std::uint64_t rank_counters::* value;
  bool largest = false;  // of all ranks in place of the sum
};

constexpr column columns[] = {
    {"steals", &rank_counters::steals},
    {"near", &rank_counters::steals_near},
    {"trips", &rank_counters::steal_trips},
    {"most", &rank_counters::most_steal_trips, true},
    {"failed", &rank_counters::failed_probes},
    {"posted", &rank_counters::posted},
    {"back", &rank_counters::taken_back},
    {"sent", &rank_counters::sent},
    {"kept", &rank_counters::kept},
    {"ran", &rank_counters::ran},
    {"naps", &rank_counters::naps},
    {"wait_us", &rank_counters::waiting_ns},
};

std::uint64_t shown(const column& c, std::uint64_t value) {
  return c.value == &rank_counters::waiting_ns ? value / 1000 : value;
}

void add_number(std::string& line, std::uint64_t n) {
  char text[32];
  std::snprintf(text, sizeof text, " %10llu", static_cast<unsigned long long>(n));
  line += text;
}

}  // namespace

void print_summary(const std::vector<rank_counters>& all, int rank) {
  if (rank != 0) return;
  std::string text = "kasuri cluster, scheduler\n  rank";
  for (const column& c : columns) {
    char title[32];
    std::snprintf(title, sizeof title, " %10s", c.title);
    text += title;
  }
  text += '\n';
  for (const rank_counters& r : all) {
    char number[16];
    std::snprintf(number, sizeof number, "%6d", r.rank);
    text += number;
    for (const column& c : columns) add_number(text, shown(c, r.*c.value));
    text += '\n';
  }
  text += " total";
  for (const column& c : columns) {
    std::uint64_t sum = 0;
    for (const rank_counters& r : all)
      sum = c.largest ? std::max(sum, r.*c.value) : sum + r.*c.value;
    add_number(text, shown(c, sum));
  }
  text += '\n';
  std::fputs(text.c_str(), stderr);
}

}  // namespace kasuri::cluster
