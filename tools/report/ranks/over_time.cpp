// SPDX-License-Identifier: Apache-2.0
#include "report/ranks/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>

namespace kasuri::report {
namespace {

using nlohmann::json;

constexpr std::size_t most_bins = 2000;
constexpr std::size_t most_groups = 64;

struct grid {
  double bin_s = 0;
  std::size_t bins = 0;
};

double width_of(const json& given) { return given.value("bin_s", 0.0); }

std::size_t bins_of(const json& object) {
  std::size_t bins = 0;
  for (const json& column : object)
    if (column.is_array() && (column.empty() || column[0].is_number()))
      bins = std::max(bins, column.size());
  return bins;
}

/// The bins of the rank with the longest ones, and as many as all need.
grid grid_of(const std::vector<rank_over_time>& ranks) {
  grid g;
  double end = 0;
  for (const rank_over_time& r : ranks) {
    std::size_t bins = bins_of(r.given);
    if (const auto groups = r.given.find("groups"); groups != r.given.end())
      for (const json& group : *groups) bins = std::max(bins, bins_of(group));
    g.bin_s = std::max(g.bin_s, width_of(r.given));
    end = std::max(end, r.start_s + static_cast<double>(bins) * width_of(r.given));
  }
  if (g.bin_s <= 0 || end <= 0) return {};
  while (end / g.bin_s > most_bins) g.bin_s *= 2;
  g.bins = static_cast<std::size_t>(std::ceil(end / g.bin_s - 1e-9));
  return g;
}

/// Adds a rank's column, times `weight`, to bins of the grid: each gets the mean over its length.
void add(const json& column, const rank_over_time& r, double weight, const grid& g,
         std::vector<double>& to) {
  const double width = width_of(r.given);
  for (std::size_t i = 0; i != column.size(); ++i) {
    const double value = column[i].is_number() ? weight * column[i].get<double>() : 0;
    if (value == 0) continue;
    const double begin = r.start_s + static_cast<double>(i) * width;
    const double end = begin + width;
    for (auto b = static_cast<std::size_t>(begin / g.bin_s); b < to.size(); ++b) {
      const double from = std::max(begin, static_cast<double>(b) * g.bin_s);
      const double until = std::min(end, static_cast<double>(b + 1) * g.bin_s);
      if (until <= from) break;
      to[b] += value * (until - from) / g.bin_s;
    }
  }
}

using columns = std::map<std::string, std::vector<double>>;

/// A group of the job's timeline: columns are sums over its workers.
struct row {
  int rank = 0;
  int last_rank = 0;
  json first;
  json last;
  double count = 0;
  columns sums = {};
};

row row_of(const json& group, const rank_over_time& r, const grid& g) {
  row result{.rank = r.rank,
             .last_rank = r.rank,
             .first = group.value("first", json(0)),
             .last = group.value("last", json(0))};
  result.count = result.last.get<double>() - result.first.get<double>() + 1;
  for (const auto& [name, column] : group.items())
    if (column.is_array())
      add(column, r, result.count, g,
          result.sums.try_emplace(name, std::vector<double>(g.bins)).first->second);
  return result;
}

void join(row& to, const row& from) {
  to.last_rank = from.last_rank;
  to.last = from.last;
  to.count += from.count;
  for (const auto& [name, column] : from.sums) {
    auto& sum = to.sums.try_emplace(name, std::vector<double>(column.size())).first->second;
    for (std::size_t i = 0; i != column.size(); ++i) sum[i] += column[i];
  }
}

json to_json(const row& r) {
  json group{{"rank", r.rank},
             {"last_rank", r.last_rank},
             {"first", r.first},
             {"last", r.last},
             {"count", r.count}};
  for (const auto& [name, column] : r.sums) {
    json& shares = group[name] = json::array();
    for (const double sum : column) shares.push_back(std::lround(sum / r.count));
  }
  return group;
}

}  // namespace

json sum_of_series(const std::vector<rank_over_time>& ranks) {
  const grid g = grid_of(ranks);
  if (g.bins == 0) return nullptr;
  columns sums;
  for (const rank_over_time& r : ranks)
    for (const auto& [name, column] : r.given.items())
      if (column.is_array() && name != "seconds")
        add(column, r, 1, g, sums.try_emplace(name, std::vector<double>(g.bins)).first->second);
  json result(sums);
  result["bin_s"] = g.bin_s;
  result["seconds"] = std::vector<double>(g.bins, g.bin_s);
  return result;
}

json joined_timelines(const std::vector<rank_over_time>& ranks) {
  const grid g = grid_of(ranks);
  if (g.bins == 0) return nullptr;
  std::vector<row> rows;
  for (const rank_over_time& r : ranks)
    if (const auto groups = r.given.find("groups"); groups != r.given.end())
      for (const json& group : *groups) rows.push_back(row_of(group, r, g));
  const std::size_t each = (rows.size() + most_groups - 1) / most_groups;
  json all = json::array();
  for (std::size_t at = 0; at < rows.size(); at += each) {
    for (std::size_t i = at + 1; i < std::min(at + each, rows.size()); ++i) join(rows[at], rows[i]);
    all.push_back(to_json(rows[at]));
  }
  return {{"bin_s", g.bin_s}, {"groups", all}};
}

}  // namespace kasuri::report
