// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "report/page/reduce.hpp"

namespace kasuri::report {
namespace {

using nlohmann::json;

std::size_t group_size(std::size_t workers) {
  return std::max<std::size_t>(1, (workers + most_groups - 1) / most_groups);
}

double number(const json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<double>() : 0;
}

void add(json& sum, const json& row) {
  for (const auto& [key, value] : row.items()) {
    if (value.is_number() && key != "worker") sum[key] = sum.value(key, 0.0) + value.get<double>();
    if (value.is_string() && sum.value(key, value) != value) sum[key] = "several";
    if (value.is_string() && !sum.contains(key)) sum[key] = value;
  }
}

json one_group(const std::vector<const json*>& rows, std::size_t first, std::size_t last) {
  json sum = json::object();
  double least = number(*rows[first], "work_s");
  double most = least;
  for (std::size_t i = first; i < last; ++i) {
    add(sum, *rows[i]);
    least = std::min(least, number(*rows[i], "work_s"));
    most = std::max(most, number(*rows[i], "work_s"));
  }
  const auto count = static_cast<double>(last - first);
  for (auto& value : sum)
    if (value.is_number()) value = value.get<double>() / count;
  const auto name = [&](std::size_t i) { return rows[i]->value("worker", json(i)); };
  sum.update({{"first", name(first)}, {"last", name(last - 1)}, {"count", last - first}});
  sum.update({{"least_work_s", least}, {"most_work_s", most}});
  return sum;
}

}  // namespace

json group_workers(const json& accounts) {
  std::vector<const json*> rows;
  if (accounts.is_array()) {
    for (const json& row : accounts)
      if (row.is_object()) rows.push_back(&row);
  }
  const std::size_t size = group_size(rows.size());
  json groups = json::array();
  for (std::size_t at = 0; at < rows.size(); at += size)
    groups.push_back(one_group(rows, at, std::min(at + size, rows.size())));
  return groups;
}

json group_steals(const json& matrix) {
  if (!matrix.is_array() || matrix.empty()) return nullptr;
  std::size_t workers = matrix.size();
  for (const json& row : matrix) {
    if (!row.is_array()) return nullptr;
    workers = std::max(workers, row.size());
  }
  const std::size_t size = group_size(workers);
  const std::size_t groups = (workers + size - 1) / size;
  std::vector<std::vector<double>> sums(groups, std::vector<double>(groups));
  for (std::size_t thief = 0; thief < matrix.size(); ++thief) {
    for (std::size_t victim = 0; victim < matrix[thief].size(); ++victim) {
      const json& count = matrix[thief][victim];
      if (count.is_number()) sums[thief / size][victim / size] += count.get<double>();
    }
  }
  return {{"workers", workers}, {"size", size}, {"matrix", sums}};
}

}  // namespace kasuri::report
