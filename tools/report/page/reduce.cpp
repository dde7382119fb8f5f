// SPDX-License-Identifier: Apache-2.0
#include "report/page/reduce.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

namespace kasuri::report {
namespace {

using nlohmann::json;

constexpr int digits = 5;
constexpr int deepest = 6;  // levels of lists within lists

double rounded(double value) {
  if (!std::isfinite(value)) return value;
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  double result = value;
  std::from_chars(text, end, result);
  return result;
}

/// Cuts between characters. Of a path the end says most, of anything else the beginning.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  if (text.starts_with('/')) {
    std::size_t from = text.size() - most;
    while (continues(from)) ++from;
    return "\u2026" + text.substr(from);
  }
  std::size_t to = most;
  while (to > 0 && continues(to)) --to;
  return text.substr(0, to) + "\u2026";
}

json cut(const json& value, const limits& most, int depth = 0) {
  if (value.is_string()) return shortened(value.get_ref<const std::string&>(), most.text);
  if (value.is_number_float()) return rounded(value.get<double>());
  if (!value.is_structured()) return value;
  if (depth >= deepest) return nullptr;
  json result = value.is_array() ? json::array() : json::object();
  for (const auto& [key, part] : value.items()) {
    if (result.size() >= most.rows) break;
    if (value.is_array()) {
      result.push_back(cut(part, most, depth + 1));
    } else {
      result[shortened(key, most.text)] = cut(part, most, depth + 1);
    }
  }
  return result;
}

double most_seconds(const json& row) {
  double most = 0;
  for (const auto& [key, value] : row.items())
    if (key.ends_with("_s") && value.is_number()) most = std::max(most, value.get<double>());
  return most;
}

/// The rows with the most seconds, in the order of the report.
json heaviest(const json& list, std::size_t rows) {
  if (list.size() <= rows) return list;
  std::vector<double> seconds(list.size());
  std::vector<std::size_t> chosen(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    seconds[i] = list[i].is_object() ? most_seconds(list[i]) : 0;
    chosen[i] = i;
  }
  std::ranges::stable_sort(chosen, std::greater{}, [&](std::size_t i) { return seconds[i]; });
  chosen.resize(rows);
  std::ranges::sort(chosen);
  json result = json::array();
  for (const std::size_t i : chosen) result.push_back(list[i]);
  return result;
}

std::vector<double> column(const json& series, const std::string& name) {
  const auto found = series.find(name);
  std::vector<double> values;
  if (found == series.end() || !found->is_array()) return values;
  for (const json& value : *found) values.push_back(value.is_number() ? value.get<double>() : 0);
  return values;
}

/// Makes one bin of each `factor` bins: means weighted by the time that each was seen for.
json join_bins(const json& series, std::size_t factor) {
  const std::vector<double> seconds = column(series, "seconds");
  const auto weight = [&](std::size_t i) {
    return seconds.empty() ? 1 : (i < seconds.size() ? seconds[i] : 0);
  };
  json result = json::object();
  for (const auto& [name, list] : series.items()) {
    if (!list.is_array()) continue;
    const std::vector<double> values = column(series, name);
    json joined = json::array();
    for (std::size_t at = 0; at < values.size(); at += factor) {
      double sum = 0;
      double weights = 0;
      for (std::size_t i = at; i < std::min(at + factor, values.size()); ++i) {
        sum += name == "seconds" ? values[i] : values[i] * weight(i);
        weights += weight(i);
      }
      const double mean = weights > 0 ? sum / weights : 0;
      joined.push_back(rounded(name == "seconds" ? sum : mean));
    }
    result[name] = joined;
  }
  const json width = series.value("bin_s", json());
  if (width.is_number()) result["bin_s"] = width.get<double>() * static_cast<double>(factor);
  return result;
}

json reduce_series(const json& series, const limits& most) {
  if (!series.is_object()) return nullptr;
  std::size_t bins = 0;
  for (const json& list : series)
    if (list.is_array()) bins = std::max(bins, list.size());
  return join_bins(series, std::max<std::size_t>(1, (bins + most.bins - 1) / most.bins));
}

bool is_shown(const std::string& key) {
  constexpr std::array keys{
      "program",  "arguments", "seconds",  "workers", "answer", "answer_sentence", "headline",
      "machine",  "quality",   "shares",   "work_s",  "span_s", "burdened_s",      "speedup",
      "findings", "fine",      "sites",    "regions", "locks",  "ranks",           "parallelism",
      "hot",      "trace",     "ancestry", "runtimes"};
  return std::ranges::find(keys, key) != keys.end();
}

/// All texts of a document become valid UTF-8: other bytes are replaced by U+FFFD.
json valid(const json& document) {
  return json::parse(document.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace

json reduce(const json& report, const limits& most) {
  if (!report.is_object()) return json::object();
  json result = json::object();
  json left_out = json::object();
  for (const auto& [key, value] : report.items()) {
    if (key == "workers_accounts") {
      result[key] = cut(group_workers(value), most);
    } else if (key == "series") {
      result[key] = reduce_series(value, most);
    } else if (key == "timeline") {
      result[key] = pack_timeline(value, most.bins, most.letters);
    } else if (key == "steals" || key == "bytes_between") {
      if (value.is_object()) result[key] = group_steals(value.value("matrix", json()));
    } else if (is_shown(key) && value.is_array()) {
      if (value.size() > most.rows) left_out[key] = value.size() - most.rows;
      result[key] = cut(heaviest(valid(value), most.rows), most);
    } else if (is_shown(key)) {
      result[key] = cut(valid(value), most);
    }
  }
  result["left_out"] = left_out;
  return valid(result);
}

}  // namespace kasuri::report
