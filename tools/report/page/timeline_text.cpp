// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "report/page/reduce.hpp"

namespace kasuri::report {
namespace {

using nlohmann::json;

constexpr std::array states{"work",    "runtime", "lock",    "barrier",
                            "waiting", "late",    "no_work", "blocked"};

// Shares are told in steps of 2 %: of a row that is some ten pixels high nobody sees more.
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxy";
constexpr double whole = 1000;

std::size_t letter_of(double permille) {
  const double steps = std::clamp(permille / whole, 0.0, 1.0) * (letters.size() - 1);
  return static_cast<std::size_t>(std::lround(steps));
}

/// Each `factor` shares as one letter, each run of equal letters as one with the length behind it.
std::string packed(const json& shares, std::size_t factor) {
  std::string text;
  std::size_t last = letters.size();
  std::size_t run = 0;
  const auto end_run = [&] {
    if (run > 0) text += letters[last];
    if (run > 1) text += std::to_string(run);
  };
  for (std::size_t at = 0; at < shares.size(); at += factor) {
    const std::size_t end = std::min(at + factor, shares.size());
    double sum = 0;
    for (std::size_t i = at; i < end; ++i)
      if (shares[i].is_number()) sum += shares[i].get<double>();
    const std::size_t letter = letter_of(sum / static_cast<double>(end - at));
    if (letter != last) {
      end_run();
      run = 0;
      last = letter;
    }
    ++run;
  }
  end_run();
  return text;
}

json packed_group(const json& group, std::size_t factor) {
  json result = json::object();
  for (const char* key : {"rank", "last_rank", "first", "last", "count"})
    if (const auto at = group.find(key); at != group.end() && at->is_number()) result[key] = *at;
  for (const char* state : states)
    if (const auto at = group.find(state); at != group.end() && at->is_array() && !at->empty())
      result[state] = packed(*at, factor);
  return result;
}

std::size_t bins_of(const std::vector<const json*>& groups) {
  std::size_t bins = 0;
  for (const json* group : groups)
    for (const char* state : states)
      if (const auto at = group->find(state); at != group->end() && at->is_array())
        bins = std::max(bins, at->size());
  return bins;
}

std::size_t length(const json& groups) {
  std::size_t sum = 0;
  for (const json& group : groups)
    for (const json& value : group)
      if (value.is_string()) sum += value.get_ref<const std::string&>().size();
  return sum;
}

}  // namespace

json pack_timeline(const json& timeline, std::size_t most_bins, std::size_t most_letters) {
  const json given = timeline.is_object() ? timeline.value("groups", json()) : json();
  const json width = timeline.is_object() ? timeline.value("bin_s", json()) : json();
  if (!given.is_array() || !width.is_number() || !(width.get<double>() > 0)) return nullptr;
  std::vector<const json*> groups;
  for (const json& group : given)
    if (group.is_object() && groups.size() < most_groups) groups.push_back(&group);
  const std::size_t bins = bins_of(groups);
  if (bins == 0 || most_bins == 0) return nullptr;
  std::size_t factor = (bins + most_bins - 1) / most_bins;
  for (;; factor *= 2) {
    json packed = json::array();
    for (const json* group : groups) packed.push_back(packed_group(*group, factor));
    if (length(packed) > most_letters && factor < bins) continue;
    return {{"bin_s", width.get<double>() * static_cast<double>(factor)},
            {"bins", (bins + factor - 1) / factor},
            {"groups", packed}};
  }
}

}  // namespace kasuri::report
